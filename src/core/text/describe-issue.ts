/** What is wrong with a value, for whoever wrote it: which field, and what was expected there. Pure. */

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function describeIssue(issue: Issue | undefined): string {
  const field = (issue?.path ?? []).map(String).join('.');
  const message = issue?.message ?? 'not as expected';
  if (field !== '' && message.endsWith(', received undefined')) return `${field} is missing`;
  const problem = message.replace(/^Invalid (?:input|option): /, '').replaceAll('"|"', '", "');
  return field === '' ? problem : `${field}: ${problem}`;
}
