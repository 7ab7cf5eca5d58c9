/** A pull request: title and text from the commits, edited by the person, opened by gh or glab or on the page of the host. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { RepositoryStatus } from '../../contract/changes.ts';
import type { ConversationId } from '../../contract/ids.ts';
import type { PullRequestDraft } from '../../contract/ship.ts';
import { useCommands } from '../state/use-app.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import { showName } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import { requestBases } from './branch-list.ts';
import styles from './RequestDialog.module.css';
import { RunCard } from './RunCard.tsx';
import type { Ship } from './use-ship.ts';

interface RequestDialogProps {
  readonly conversationId: ConversationId;
  readonly status: RepositoryStatus;
  readonly ship: Ship;
  readonly onClose: () => void;
}

const WORDS = EN_SHIP.request;
/** The limits of the route. */
const MAX_TITLE = 1_000;
const MAX_BODY = 60_000;

/** What a person wrote, by conversation and branch, so that closing the form loses nothing while the page lives. */
const written = new Map<string, Fields>();
const MAX_WRITTEN = 20;

interface Fields {
  readonly title: string;
  readonly body: string;
  readonly base: string;
  readonly isDraft: boolean;
}

type Read =
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'read'; readonly draft: PullRequestDraft };

export function RequestDialog({ conversationId, status, ship, onClose }: RequestDialogProps) {
  const read = useDraft(conversationId, ship);
  const shown = (ship.refusal ?? ship.run)?.action;
  const isOfThis = shown === 'push' || shown === 'pull_request';
  return (
    <Dialog title={WORDS.title} onClose={onClose} className={styles.dialog}>
      <div className={styles.body}>
        {read === null && <p>{WORDS.loading}</p>}
        {read?.kind === 'failed' && <p role="alert">{showName(WORDS.failed(read.message))}</p>}
        {read?.kind === 'read' && (
          <Form
            key={read.draft.branch}
            openKey={`${conversationId} ${read.draft.branch}`}
            draft={read.draft}
            ship={ship}
          />
        )}
        {isOfThis && <RunCard ship={ship} upstream={status.upstream} onAsk={onClose} />}
      </div>
    </Dialog>
  );
}

/** Read again after a push, which may be what was missing. Null until it was read. */
function useDraft(id: ConversationId, ship: Ship): Read | null {
  const { ship: call } = useCommands();
  const [read, setRead] = useState<Read | null>(null);
  const ended = ship.newest?.state === 'running' ? null : (ship.newest?.id ?? '');
  useEffect(() => {
    if (ended === null) return;
    let isStale = false;
    void call('draftPullRequest', { id }).then((answer) => {
      if (isStale) return;
      if (answer.ok) setRead({ kind: 'read', draft: answer.value.draft });
      else setRead({ kind: 'failed', message: answer.error.message });
    });
    return () => {
      isStale = true;
    };
  }, [id, ended, call]);
  return read;
}

interface FormProps {
  readonly openKey: string;
  readonly draft: PullRequestDraft;
  readonly ship: Ship;
}

function Form({ openKey, draft, ship }: FormProps) {
  const ids = useId();
  const fresh: Fields = { title: draft.title, body: draft.body, base: draft.base, isDraft: false };
  const [fields, setFields] = useState(() => written.get(openKey) ?? fresh);
  const { title, body, base, isDraft } = fields;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const change = (patch: Partial<Fields>) => {
    const next = { ...fields, ...patch };
    setFields(next);
    written.delete(openKey);
    written.set(openKey, next);
    for (const oldest of [...written.keys()].slice(0, Math.max(0, written.size - MAX_WRITTEN))) written.delete(oldest);
  };
  const bases = requestBases(ship.facts?.branches ?? [], ship.facts?.push_remote ?? null, [draft.base, base]);
  const isOpened =
    ship.run?.action === 'pull_request' && ship.run.state === 'done' && ship.run.done?.branch === draft.branch;
  useEffect(() => {
    if (isOpened) written.delete(openKey);
  }, [isOpened, openKey]);
  const hasTitle = title.trim() !== '';
  const isEdited = title !== draft.title || body !== draft.body;
  const submit = () => {
    if (!hasTitle || draft.tool === null || isOpened) return;
    void ship.act({ action: 'pull_request', title: title.trim(), body, base, is_draft: isDraft });
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (draft.is_pushed) submit();
      }}
    >
      <p className={styles.route}>{showName(WORDS.route(draft.branch, base, draft.repository))}</p>
      <Field
        id={`${ids}-title`}
        label={WORDS.name}
        copy={draft.tool === null ? { text: title, name: WORDS.copyTitle } : null}
      >
        <input
          id={`${ids}-title`}
          className={styles.field}
          ref={first}
          maxLength={MAX_TITLE}
          aria-invalid={!hasTitle}
          value={title}
          onChange={(event) => change({ title: event.target.value })}
        />
      </Field>
      {!hasTitle && <p className={styles.problem}>{WORDS.needsTitle}</p>}
      <Field
        id={`${ids}-text`}
        label={WORDS.text}
        copy={draft.tool === null ? { text: body, name: WORDS.copyText } : null}
      >
        <textarea
          id={`${ids}-text`}
          className={styles.field}
          rows={9}
          maxLength={MAX_BODY}
          value={body}
          onChange={(event) => change({ body: event.target.value })}
        />
      </Field>
      {draft.tool !== null && (
        <div className={styles.line}>
          <label>
            <span>{WORDS.into}</span>
            <select value={base} onChange={(event) => change({ base: event.target.value })}>
              {bases.map((name) => (
                <option key={name} value={name}>
                  {showName(name)}
                </option>
              ))}
            </select>
          </label>
          <label>
            <input type="checkbox" checked={isDraft} onChange={(event) => change({ isDraft: event.target.checked })} />
            <span>{WORDS.draft}</span>
          </label>
        </div>
      )}
      {!isOpened && <Acts draft={draft} canOpen={hasTitle} ship={ship} />}
      {isEdited && !isOpened && (
        <Button tone="quiet" onClick={() => change({ title: draft.title, body: draft.body })}>
          {WORDS.restore}
        </Button>
      )}
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly copy: { readonly text: string; readonly name: string } | null;
  readonly children: ReactNode;
}

function Field({ id, label, copy, children }: FieldProps) {
  return (
    <div className={styles.named}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {copy !== null && (
          <fieldset aria-label={copy.name}>
            <CopyButton text={copy.text} />
          </fieldset>
        )}
      </div>
      {children}
    </div>
  );
}

interface ActsProps {
  readonly draft: PullRequestDraft;
  readonly canOpen: boolean;
  readonly ship: Ship;
}

/** First the push, if the remote does not have the branch as it is here; then the tool, or the page of the host. */
function Acts({ draft, canOpen, ship }: ActsProps) {
  const { branch, tool, compare_url: url, is_pushed: isPushed } = draft;
  if (!isPushed)
    return (
      <div className={styles.acts}>
        <p>{showName(WORDS.notPushed(branch))}</p>
        <Button
          tone="primary"
          aria-disabled={ship.isBusy}
          onClick={() => void ship.act({ action: 'push', force_with_lease: false })}
        >
          {showName(WORDS.push(branch))}
        </Button>
      </div>
    );
  if (tool !== null)
    return (
      <div className={styles.acts}>
        <Button type="submit" tone="primary" aria-disabled={!canOpen || ship.isBusy}>
          {WORDS.open(tool)}
        </Button>
      </div>
    );
  const isPage = url !== null && /^https?:\/\//.test(url) && URL.canParse(url);
  return (
    <div className={styles.acts}>
      <p>{isPage ? WORDS.noTool : WORDS.noPage}</p>
      {isPage && (
        <OutsideLink href={url} className={styles.link}>
          {WORDS.page(showName(new URL(url).host))}
        </OutsideLink>
      )}
    </div>
  );
}
