/** Where in the repository a new conversation works, and what a new work tree gets. Nothing is made before the first message is sent. */
import { GitBranch } from 'lucide-react';
import { useId } from 'react';
import { MAX_ATTEMPTS } from '../../contract/attempt-bounds.ts';
import type { Worktree } from '../../contract/worktrees.ts';
import { EN_START } from '../strings/en-start.ts';
import { showName } from '../transcript/ansi.ts';
import { classes } from '../ui/classes.ts';
import field from '../ui/Field.module.css';
import { middleCut } from '../ui/format.ts';
import { Menu } from '../ui/Menu.tsx';
import { SetupCommand } from './SetupCommand.tsx';
import { attemptBranches, branchOf, HERE, isFreeBranch, otherWorktrees, type Repository } from './start-place.ts';
import type { Place } from './use-start-place.ts';
import styles from './WorkPlace.module.css';

/** Longer paths keep their beginning and their last part. */
const MAX_PATH_CHARS = 64;
/** Names in one line; the others are counted. */
const MAX_NAMES = 5;

const COUNTS = Array.from({ length: MAX_ATTEMPTS }, (_, at) => at + 1);

const { place: words } = EN_START;

/** The menu; nothing where the directory is in no repository. */
export function PlaceMenu({ place }: { readonly place: Place }) {
  const { repository, chosen } = place;
  if (repository === null) return null;
  const here = repository.worktrees.find(({ path }) => path === repository.root);
  const others = otherWorktrees(repository);
  const existing = chosen.kind === 'existing' ? others.find(({ path }) => path === chosen.path) : undefined;
  const short = { here: words.here, new: words.new, existing: words.inExisting(nameOf(existing)) }[chosen.kind];
  return (
    <Menu
      name={words.label}
      className={styles.trigger}
      trigger={
        <>
          <GitBranch size={14} aria-hidden className={styles.icon} />
          <span className={styles.short}>{short}</span>
        </>
      }
      hasArrow
      groups={[
        {
          items: [
            {
              key: 'here',
              label: words.here,
              hint: here === undefined ? undefined : words.onBranch(nameOf(here)),
              isChecked: chosen.kind === 'here',
              run: () => place.choose(HERE),
            },
            {
              key: 'new',
              label: words.new,
              hint: words.newHint,
              isChecked: chosen.kind === 'new',
              run: () => place.choose({ kind: 'new', branch: null, from: null }),
            },
          ],
        },
        ...(others.length === 0
          ? []
          : [
              {
                title: words.existing,
                items: others.map((one) => ({
                  key: one.path,
                  label: nameOf(one),
                  hint: hintOf(one),
                  isChecked: chosen.kind === 'existing' && chosen.path === one.path,
                  run: () => place.choose({ kind: 'existing', path: one.path }),
                })),
              },
            ]),
      ]}
    />
  );
}

/** What the new work tree is called and begins at. */
export function NewPlace({ place }: { readonly place: Place }) {
  const id = useId();
  const { repository, chosen, message } = place;
  if (repository === null || chosen.kind !== 'new') return null;
  const branch = branchOf(chosen, message, repository);
  const takes = chosen.branch !== null && isFreeBranch(branch, repository);
  const holder = repository.worktrees.find((one) => one.branch === branch);
  return (
    <fieldset className={styles.fields}>
      <legend className="visually-hidden">{words.new}</legend>
      <label className={styles.part} htmlFor={`${id}-branch`}>
        <span>{words.branch}</span>
        <input
          id={`${id}-branch`}
          className={classes(field.field, styles.branch)}
          value={chosen.branch ?? branch}
          maxLength={240}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-describedby={`${id}-facts`}
          onChange={({ target }) => place.choose({ ...chosen, branch: target.value === '' ? null : target.value })}
        />
      </label>
      <label className={styles.part} htmlFor={`${id}-from`}>
        <span>{words.from}</span>
        <select
          id={`${id}-from`}
          className={classes(field.field, styles.from)}
          value={chosen.from ?? ''}
          disabled={takes}
          onChange={({ target }) => place.choose({ ...chosen, from: target.value === '' ? null : target.value })}
        >
          <option value="">{words.base(repository.base === null ? null : showName(repository.base))}</option>
          {repository.branches
            .filter(({ name }) => name !== repository.base)
            .map(({ name }) => (
              <option key={name} value={name}>
                {showName(name)}
              </option>
            ))}
        </select>
      </label>
      {!takes && (
        <label className={styles.part} htmlFor={`${id}-attempts`}>
          <span>{words.attempts}</span>
          <select
            id={`${id}-attempts`}
            className={classes(field.field, styles.attempts)}
            value={chosen.attempts ?? 1}
            onChange={({ target }) => place.choose({ ...chosen, attempts: Number(target.value) })}
          >
            {COUNTS.map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
      )}
      <div id={`${id}-facts`} className={styles.facts}>
        {holder !== undefined && !place.isAttempted && (
          <p className={styles.warning}>{words.isOut(showName(branch), showName(holder.path))}</p>
        )}
        {!takes && (chosen.attempts ?? 1) > 1 && (
          <p>
            {words.attemptsMean(
              attemptBranches(branch, chosen.attempts ?? 1, repository)
                .map(showName)
                .join(', '),
            )}
          </p>
        )}
        {takes && <p>{words.takes(showName(branch))}</p>}
        <Included included={repository.included} />
        <SetupCommand place={place} setup={repository.setup} />
      </div>
    </fieldset>
  );
}

function Included({ included: { files, count, warnings } }: { readonly included: Repository['included'] }) {
  return (
    <>
      <p>{count === 0 ? words.copiesNone : words.copies(count, namesOf(files, count))}</p>
      {warnings.slice(0, MAX_NAMES).map((text) => (
        <p key={text} className={styles.warning}>
          {showName(text)}
        </p>
      ))}
      {warnings.length > MAX_NAMES && (
        <p className={styles.warning}>{words.moreWarnings(warnings.length - MAX_NAMES)}</p>
      )}
    </>
  );
}

function namesOf(files: readonly string[], count: number): string {
  const shown = files.slice(0, MAX_NAMES).map((name) => showName(middleCut(name, MAX_PATH_CHARS)));
  return [...shown, ...(count > shown.length ? [words.more(count - shown.length)] : [])].join(', ');
}

const nameOf = (one: Worktree | undefined): string =>
  one === undefined
    ? ''
    : showName(middleCut(one.branch ?? words.detached(one.head?.slice(0, 8) ?? ''), MAX_PATH_CHARS));

function hintOf({ path, conversations, is_main }: Worktree): string {
  const where = showName(middleCut(path, MAX_PATH_CHARS));
  return [
    where,
    ...(is_main ? [words.main] : []),
    ...(conversations.length === 0 ? [] : [EN_START.conversations(conversations.length)]),
  ].join(' · ');
}
