/** What people do at a prompt, and the block each becomes, in every shell. */
import type { Block } from '../../src/contract/terminal.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Typed at once; with `until`, the next part waits for that text instead of a prompt. */
type Part = string | { readonly type: string; readonly until: string };

interface Wanted {
  readonly cmd: string;
  readonly exit: number | null;
  readonly status: Block['status'];
  readonly out: string;
  readonly alt?: true;
}

export interface Situation {
  readonly name: string;
  readonly in?: readonly Shell[];
  readonly parts: readonly Part[];
  readonly blocks: readonly Wanted[];
}

const done = (cmd: string, out: string, exit = 0): Wanted => ({ cmd, exit, status: 'completed', out });
/** One command, typed as it stands. */
const one = (
  name: string,
  cmd: string,
  out: string,
  more: { exit?: number; in?: readonly Shell[] } = {},
): Situation => ({
  name,
  parts: [`${cmd}\r`],
  blocks: [done(cmd, out, more.exit)],
  ...(more.in !== undefined && { in: more.in }),
});

const POSIX = ['bash', 'zsh'] as const;
const FISH = ['fish'] as const;
const WAITS = `sh -c 'trap "exit 130" INT; echo go; while :; do sleep 0.05; done'`;
const CTRL_C = '\u0003';
const CTRL_U = '\u0015';
const LONG = 'x'.repeat(3000);

export const SITUATIONS: readonly Situation[] = [
  one('a command', 'echo hi', 'hi\n'),
  one('output without a last line feed', 'printf abc', 'abc'),
  one('a command that fails', 'false', '', { exit: 1 }),
  one('an exit code of its own', "sh -c 'exit 42'", '', { exit: 42 }),
  one('a command that is not there', 'no-such-command-here 2>/dev/null', '', { exit: 127, in: POSIX }),
  one('a directory as a command', "sh -c 'exit 126'", '', { exit: 126 }),
  one('one that kills itself', "sh -c 'kill -TERM $$'", 'Terminated\n', { exit: 143, in: ['bash'] }),
  one('and', 'echo a && echo b', 'a\nb\n'),
  one('or', 'false || echo c', 'c\n'),
  one('and that stops', 'false && echo never', '', { exit: 1 }),
  one('several in one line', 'echo 1; echo 2; echo 3', '1\n2\n3\n'),
  one('a pipe', 'printf "b\\na\\n" | sort', 'a\nb\n'),
  one('a pipe whose end fails', 'echo x | grep -q y', '', { exit: 1 }),
  one('a subshell', '(echo in; exit 7)', 'in\n', { exit: 7, in: POSIX }),
  one('a group', '{ echo g; }', 'g\n', { in: POSIX }),
  one('a group of fish', 'begin; echo g; end', 'g\n', { in: FISH }),
  one('a substitution', 'echo "<$(echo sub)>"', '<sub>\n'),
  one('semicolons and backslashes in the text', 'echo "x;y\\\\z"', 'x;y\\z\n'),
  one('quotes', `echo "it's" 'a "b"'`, 'it\'s a "b"\n'),
  one('percent signs', 'echo "100%d %s"', '100%d %s\n'),
  one('an ampersand in the text', 'echo "a & b"', 'a & b\n'),
  one('unicode', 'echo "ü→漢字🎈"', 'ü→漢字🎈\n'),
  one('to stderr', 'echo oops >&2', 'oops\n'),
  one('nothing to say', 'true', ''),
  one('a loop in one line', 'for i in 1 2 3; do echo $i; done', '1\n2\n3\n', { in: POSIX }),
  one('a loop of fish in one line', 'for i in 1 2 3; echo $i; end', '1\n2\n3\n', { in: FISH }),
  one('a function is defined', 'greet() { echo "hello $1"; }', '', { in: POSIX }),
  one('a function is called', 'greet you', 'hello you\n', { in: POSIX }),
  one('a variable is set', 'set -g thing 5', '', { in: FISH }),
  one('a variable of a command', "FOO=bar sh -c 'echo $FOO'", 'bar\n'),
  one('another directory', 'cd /', ''),
  one('where it went', 'pwd', '/\n'),
  one('back again', 'cd - >/dev/null', ''),
  one('a very long line', `echo ${LONG} | wc -c`, '3001\n'),
  one('carriage returns', `printf 'one\\rtwo\\n'`, 'two\n'),
  one('a progress bar', `printf '10%%\\r 50%%\\r100%%\\n'`, '100%\n'),
  one('control characters and NUL', `printf 'a\\000b\\001c\\n'`, 'abc\n'),
  one('colors', `printf '\\033[31mred\\033[0m\\n'`, 'red\n'),
  one('a title', `printf '\\033]0;title\\007text\\n'`, 'text\n'),
  one('bytes that are no text', `printf '\\377\\n'`, '\ufffd\n'),
  one('many lines', 'seq 1 5', '1\n2\n3\n4\n5\n'),
  one('no newline at all, much text', `head -c 5000 /dev/zero | tr '\\0' z | wc -c`, '5000\n'),
  one('a nested shell', "bash -c 'echo nested; exit 3'", 'nested\n', { exit: 3 }),
  {
    name: 'a nested shell that somebody types in',
    parts: [
      { type: 'env PS1="inn""er> " bash --norc --noprofile\r', until: 'inner> ' },
      { type: 'echo deep\r', until: 'deep\r\n' },
      'exit 5\r',
    ],
    blocks: [
      {
        cmd: 'env PS1="inn""er> " bash --norc --noprofile',
        exit: 5,
        status: 'completed',
        out: 'inner> echo deep\ndeep\ninner> exit 5\nexit\n',
      },
    ],
  },
  { name: 'an empty Enter', parts: ['\r'], blocks: [] },
  { name: 'only spaces', parts: ['   \r'], blocks: [] },
  { name: 'a comment', parts: ['# nothing\r'], blocks: [], in: ['bash'] },
  { name: 'Ctrl-C at an empty prompt', parts: [CTRL_C], blocks: [], in: POSIX },
  { name: 'Ctrl-C with a half line', parts: [{ type: 'echo never', until: 'never' }, CTRL_C], blocks: [], in: POSIX },
  { name: 'after Ctrl-C', parts: ['echo on\r'], blocks: [done('echo on', 'on\n')] },
  {
    // Prints only when it is ready for the signal: between two commands of a script a shell may miss it.
    name: 'Ctrl-C in a command',
    parts: [{ type: `${WAITS}\r`, until: 'go\r\n' }, CTRL_C],
    blocks: [{ cmd: WAITS, exit: 130, status: 'interrupted', out: 'go\n^C' }],
  },
  {
    name: 'Ctrl-D ends a program that reads',
    parts: [{ type: 'echo ready; cat\r', until: 'ready\r\n' }, 'typed\r\u0004'],
    blocks: [done('echo ready; cat', 'ready\ntyped\ntyped\n')],
  },
  {
    name: 'a line that is edited before it runs',
    parts: [`echo wrong${'\b'.repeat(5)}right\r`],
    blocks: [done('echo right', 'right\n')],
  },
  {
    name: 'a line that is thrown away and typed anew',
    parts: [`echo first${CTRL_U}echo second\r`],
    blocks: [done('echo second', 'second\n')],
  },
  { name: 'a leading space', parts: [' echo hidden\r'], blocks: [done(' echo hidden', 'hidden\n')] },
  {
    name: 'the same command twice',
    parts: ['echo same\r', 'echo same\r'],
    blocks: [done('echo same', 'same\n'), done('echo same', 'same\n')],
  },
  {
    name: 'several lines',
    in: ['bash'],
    parts: [{ type: 'for i in 1 2\r', until: '> ' }, { type: 'do echo $i\r', until: '> ' }, 'done\r'],
    blocks: [done('for i in 1 2; do echo $i; done', '1\n2\n')],
  },
  {
    name: 'several lines',
    in: ['zsh'],
    parts: [{ type: 'for i in 1 2\r', until: 'for> ' }, { type: 'do echo $i\r', until: 'for> ' }, 'done\r'],
    blocks: [done('for i in 1 2\ndo echo $i\ndone', '1\n2\n')],
  },
  {
    name: 'several lines',
    in: FISH,
    parts: ['for i in 1 2\recho $i\rend\r'],
    blocks: [done('for i in 1 2\necho $i\nend', '1\n2\n')],
  },
  {
    name: 'a here-document',
    in: ['bash'],
    parts: [{ type: 'cat <<EOF\r', until: '> ' }, { type: 'a; b\r', until: 'a; b\r\n' }, 'EOF\r'],
    blocks: [done('cat <<EOF\na; b\nEOF', 'a; b\n')],
  },
  {
    name: 'a here-document',
    in: ['zsh'],
    parts: [{ type: 'cat <<EOF\r', until: 'heredoc> ' }, { type: 'a; b\r', until: 'heredoc> ' }, 'EOF\r'],
    blocks: [done('cat <<EOF\na; b\nEOF', 'a; b\n')],
  },
  {
    name: 'a quote over two lines',
    in: POSIX,
    parts: [{ type: "echo 'one\r", until: '> ' }, "two'\r"],
    blocks: [done("echo 'one\ntwo'", 'one\ntwo\n')],
  },
  {
    name: 'the alternate screen',
    parts: [`printf '\\033[?1049hsecret\\033[?1049lafter\\n'\r`],
    blocks: [{ ...done(`printf '\\033[?1049hsecret\\033[?1049lafter\\n'`, 'after\n'), alt: true }],
  },
  {
    name: 'a pager',
    parts: [{ type: 'seq 1 200 | less\r', until: '[?1049h' }, 'q'],
    blocks: [{ ...done('seq 1 200 | less', ''), alt: true }],
  },
  {
    name: 'marks that somebody else prints',
    parts: [`printf '\\033]133;D;0\\007\\033]133;A\\007\\033]633;E;rm -rf;0\\007\\033]133;C;x\\007ok\\n'\r`],
    blocks: [
      done(`printf '\\033]133;D;0\\007\\033]133;A\\007\\033]633;E;rm -rf;0\\007\\033]133;C;x\\007ok\\n'`, 'ok\n'),
    ],
  },
  one('a job in the background', '(sleep 0.05 >/dev/null 2>&1 &); echo bg', 'bg\n', { in: POSIX }),
  {
    name: 'a syntax error',
    in: POSIX,
    parts: ['echo )\r'],
    blocks: [],
  },
  {
    name: 'output that looks like a prompt',
    parts: [`printf '$ %s #' fake\r`],
    blocks: [done(`printf '$ %s #' fake`, '$ fake #')],
  },
  one('the history of directories', 'cd /usr; cd - >/dev/null; pwd | wc -l', '1\n'),
  one('a file is written and read', 'echo kept >kept.txt; cat kept.txt', 'kept\n'),
  one('no nonce for children', 'env | grep -ci nonce', '0\n', { exit: 1 }),
  one('no PTY of another terminal', 'ls -l /proc/self/fd | grep -c ptmx', '0\n', { exit: 1 }),
  one('a shell that reads a script', "echo 'echo scripted; exit 4' | sh", 'scripted\n', { exit: 4 }),
  one('an alias of the moment', 'command echo plain', 'plain\n'),
];
