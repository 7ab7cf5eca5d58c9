/** The path Codex gives a sub-agent → the name a person reads. */

/** `/root/outer/inner` → `outer / inner`: `/root` is the conversation itself. Empty for an empty path. */
export function agentName(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return (parts[0] === 'root' ? parts.slice(1) : parts).join(' / ');
}
