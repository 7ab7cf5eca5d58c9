/** A plain message for a commit and a text for a pull request, made from the changed files and the conversation. Pure. */
import { trimEndOf } from '../text/trim-end.ts';

export interface ChangedPath {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'deleted' | 'renamed';
}

export interface Subject {
  /** The last answer of Codex, if there is one. */
  readonly answer: string | null;
  /** The name of the conversation, if it has one. */
  readonly label: string | null;
}

/** As long as `git log --oneline` shows in a terminal of 80 columns. */
const MAX_SUBJECT = 72;
const MAX_FILES = 20;

const VERBS = { added: 'Add', changed: 'Change', deleted: 'Delete', renamed: 'Rename' } as const;

/** Subject, and a list of the files where there are several. Empty without files. */
export function suggestMessage(files: readonly ChangedPath[], { answer, label }: Subject, template = ''): string {
  if (files.length === 0) return template;
  const subject = subjectOf(answer) ?? subjectOf(label) ?? fileSubject(files);
  const listed = files.slice(0, MAX_FILES).map(({ path, status }) => `- ${VERBS[status]} ${path}`);
  const more = files.length > MAX_FILES ? [`- and ${files.length - MAX_FILES} more`] : [];
  const body = files.length === 1 ? [] : ['', ...listed, ...more];
  return [[subject, ...body].join('\n'), ...(template === '' ? [] : [template])].join('\n\n');
}

/** The first sentence of a text, if it can be a subject: one line, short, no heading, no question. */
function subjectOf(text: string | null): string | null {
  const line = (text ?? '')
    .split('\n')
    .map((one) =>
      one
        .replace(/^[#>*\-\s]+/, '')
        .replace(/[*_`]/g, '')
        .trim(),
    )
    .find((one) => one !== '');
  const [sentence = ''] = line?.split(/(?<=[.!?])\s/) ?? [];
  const words = trimEndOf(sentence, '.:!').trim();
  if (words.length < 8 || words.length > MAX_SUBJECT || words.endsWith('?') || !words.includes(' ')) return null;
  return words[0]?.toUpperCase() + words.slice(1);
}

function fileSubject(files: readonly ChangedPath[]): string {
  const kinds = new Set(files.map(({ status }) => status));
  const verb = kinds.size === 1 ? VERBS[files[0]?.status ?? 'changed'] : 'Change';
  const names = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const all = `${verb} ${names.join(', ')}`;
  if (files.length <= 3 && all.length <= MAX_SUBJECT) return all;
  const folder = commonFolder(files.map(({ path }) => path));
  const counted = `${verb} ${files.length} files${folder === '' ? '' : ` in ${folder}`}`;
  return counted.length <= MAX_SUBJECT ? counted : `${verb} ${files.length} file${files.length === 1 ? '' : 's'}`;
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const shared = first.filter((_part, at) =>
    others.every((other) => first.slice(0, at + 1).every((one, i) => other[i] === one)),
  );
  return shared.join('/');
}

/** A template as an editor would leave it: without comments. */
export const stripComments = (template: string, comment = '#'): string =>
  template
    .split('\n')
    .filter((line) => !line.startsWith(comment))
    .join('\n')
    .trim();

export interface RequestFacts {
  /** The oldest first. */
  readonly commits: readonly { readonly subject: string; readonly body: string }[];
  readonly plan: readonly { readonly step: string; readonly status: string }[];
  readonly label: string | null;
  readonly branch: string;
}

const MAX_COMMITS = 50;

export function draftRequest({ commits, plan, label, branch }: RequestFacts): {
  readonly title: string;
  readonly body: string;
} {
  const [first] = commits;
  if (commits.length === 1 && first !== undefined)
    return { title: first.subject, body: [first.body, planText(plan)].filter((part) => part !== '').join('\n\n') };
  const words = branch
    .slice(branch.lastIndexOf('/') + 1)
    .replace(/[-_]+/g, ' ')
    .trim();
  const title = subjectOf(label) ?? (words === '' ? branch : words[0]?.toUpperCase() + words.slice(1));
  const list = commits.slice(0, MAX_COMMITS).map(({ subject }) => `- ${subject}`);
  const more = commits.length > MAX_COMMITS ? [`- and ${commits.length - MAX_COMMITS} more`] : [];
  return { title, body: [[...list, ...more].join('\n'), planText(plan)].filter((part) => part !== '').join('\n\n') };
}

const planText = (plan: RequestFacts['plan']): string =>
  plan.length === 0
    ? ''
    : ['## Plan', ...plan.map(({ step, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${step}`)].join('\n');
