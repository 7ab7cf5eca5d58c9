/** Where a person writes: a real textarea, with one named button for each thing that can become of the text. */
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import type { Failure } from '../../contract/result.ts';
import type { RouteCall } from '../../contract/routes.ts';
import { useApp, useCommands, useIsFocused } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useOutageEnd } from '../ui/use-outage-end.ts';
import styles from './Composer.module.css';
import { ComposerButtons } from './ComposerButtons.tsx';
import { EditNote } from './EditNote.tsx';
import { HiddenNote } from './HiddenNote.tsx';
import { ImageTray } from './ImageTray.tsx';
import { enterMeans, isShell, planSubmit } from './plan-submit.ts';
import { type Attached, attachedOf, readImages } from './read-images.ts';
import { TokenLayer } from './TokenLayer.tsx';
import { useDraft } from './use-draft.ts';
import { useEditing } from './use-editing.ts';
import { useHistory } from './use-history.ts';
import { useSuggestBox } from './use-suggest-box.ts';
import { useToEdit } from './use-to-edit.ts';

const SuggestList = lazyPart((later) => later.SuggestList, { isPatient: true });
const AskedCommands = lazyPart((later) => later.AskedCommands, { isPatient: true });

/** What begins a conversation, and the further attempts at the same task, which get the same message. */
interface Start {
  readonly first: RouteCall<'createConversation'>;
  readonly further: readonly RouteCall<'createConversation'>[];
}

interface ComposerProps {
  /** Null on the home page: then sending begins a conversation. */
  readonly conversationId: ConversationId | null;
  readonly cwd?: string;
  /** What a conversation that begins here starts with; asked right before it begins. */
  readonly start?: () => Start;
  readonly initialText?: string;
  /** Hears of the text at every key. */
  readonly onText?: (text: string) => void;
}

/** What is in the box when it is sent, to be put back if the server does not take it. */
interface Kept {
  readonly text: string;
  readonly images: readonly Attached[];
  readonly retryOf: string | undefined;
}

const DOUBLE_MS = 600;

export function Composer({ conversationId, cwd = '', start, initialText = '', onText }: ComposerProps) {
  const boxId = useIsFocused() ? 'composer' : undefined;
  const { text, setText } = useDraft(conversationId, initialText);
  const [images, setImages] = useState<readonly Attached[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [errorCode, setErrorCode] = useState<Failure['code'] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useApp((state) => conversationId !== null && state.view.live.activity.state !== 'idle');
  const commands = useCommands();
  const history = useHistory();
  const box = useRef<HTMLTextAreaElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const lastEscape = useRef(0);
  const suggest = useSuggestBox({ box, conversationId, cwd, text });
  const editing = useEditing(conversationId);
  const repeating = useToEdit(conversationId, (added, addedImages) => {
    if (editing.current === null) {
      setText(text === '' ? added : `${text.trimEnd()}\n\n${added}`);
      setImages((all) => [...all, ...addedImages.map(attachedOf)]);
    } else {
      editing.keep({ text, images });
      setText(added);
      setImages(addedImages.map(attachedOf));
    }
    box.current?.focus({ preventScroll: true });
  });

  useOutageEnd(() => {
    if (errorCode !== 'not_running') return;
    setError(null);
    setErrorCode(null);
  });

  useLayoutEffect(() => {
    grow(box.current, text);
    alignLayer(box.current, layer.current);
  }, [text]);
  useEffect(() => onText?.(text), [onText, text]);
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true });
  }, []);

  async function submit(wantsQueue: boolean): Promise<void> {
    const plan = planSubmit({ text, imageCount: images.length, isRunning, wantsQueue });
    if (plan.act === 'none' || isBusy) return;
    const kept = { text, images, retryOf: repeating.retryOf };
    setError(null);
    setErrorCode(null);
    setBusy(true);
    const id = conversationId ?? (await begin(plan.act !== 'shell'));
    const isReady = id !== null && (plan.act === 'shell' || (await editing.apply()));
    setBusy(false);
    if (!isReady) return;
    setText('');
    setImages([]);
    repeating.retryOf = undefined;
    const sent = kept.images.map((one) => one.image);
    const failure =
      plan.act === 'shell'
        ? await commands.runShell(id, plan.command)
        : await commands.send(id, { text: kept.text, images: sent, mode: plan.mode, retryOf: kept.retryOf });
    if (failure !== null) giveBack(id, kept, failure);
  }

  /** Null if there is no conversation: the reason stands above the text, which stays. */
  async function begin(isMessage: boolean): Promise<ConversationId | null> {
    const { first, further } = start?.() ?? { first: {}, further: [] };
    const made = await commands.create(first);
    if (made.ok) {
      for (const one of isMessage ? further : [])
        void commands.beginAttempt(one, { text, images: images.map(({ image }) => image) });
      return made.value;
    }
    // The person was asked and did not want it: nothing went wrong.
    if (made.error.code === 'confirmation_required') return null;
    setError(made.error.message);
    setErrorCode(made.error.code);
    return null;
  }

  /** What was not taken comes back into the box, before anything typed since. */
  function giveBack(id: ConversationId, kept: Kept, failure: Failure): void {
    if (conversationId === null) {
      void commands.patch(id, { draft: kept.text });
      commands.toast({ text: failure.message, tone: 'error' });
      return;
    }
    const typedSince = box.current?.value ?? '';
    setText(typedSince === '' ? kept.text : `${kept.text}\n\n${typedSince}`);
    setImages(kept.images);
    repeating.retryOf = kept.retryOf;
    setError(failure.message);
    setErrorCode(failure.code);
  }

  /** One click: the new thread, and then the message that waits in the box. */
  async function recover(): Promise<void> {
    if (conversationId === null || !(await commands.recover(conversationId))) return;
    await submit(false);
  }

  function cancelEdit(): void {
    const before = editing.cancel();
    setText(before.text);
    setImages(before.images);
    box.current?.focus({ preventScroll: true });
  }

  async function attach(files: Iterable<File>): Promise<void> {
    const { attached, refused } = await readImages(files);
    setImages((all) => [...all, ...attached]);
    setErrorCode(null);
    setError(refused.length === 0 ? null : refused.join(' '));
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // What an input method is still making is its own: Enter takes a candidate, arrows choose one.
    if (event.nativeEvent.isComposing || suggest.takeKey(event)) return;
    const meaning = enterMeans({
      key: event.key,
      hasShift: event.shiftKey,
      hasControl: event.ctrlKey || event.metaKey,
      isComposing: event.nativeEvent.isComposing,
      isTouch: matchMedia('(pointer: coarse)').matches,
    });
    if (meaning === 'submit' || meaning === 'queue') {
      event.preventDefault();
      void submit(meaning === 'queue');
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !event.altKey) {
      const next = history.step(event.key === 'ArrowUp' ? 1 : -1, text);
      if (next === null) return;
      event.preventDefault();
      setText(next);
    } else if (event.key === 'Escape' && editing.current !== null && !isRunning) {
      cancelEdit();
    } else if (event.key === 'Escape' && isRunning && conversationId !== null) {
      const isSecond = event.timeStamp - lastEscape.current < DOUBLE_MS;
      lastEscape.current = event.timeStamp;
      if (isSecond) void commands.interrupt(conversationId);
    }
  }

  function onPaste(event: ClipboardEvent): void {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  }

  function onDrop(event: DragEvent): void {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void attach(event.dataTransfer.files);
  }

  const isUnreadable = errorCode === 'thread_unreadable';
  const isShellText = isShell(text);
  return (
    <form
      className={classes(styles.composer, isShellText && styles.shell)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(false);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      {error !== null && (
        <div className={styles.error} role="alert">
          {isUnreadable ? en.composer.unreadable : `${error.replace(/[^.!?]$/, '$&.')} ${en.composer.kept}`}
          {isUnreadable && <Button onClick={() => void recover()}>{en.composer.recover}</Button>}
        </div>
      )}
      {editing.current !== null && <EditNote turns={editing.current.turns} onCancel={cancelEdit} />}
      <HiddenNote
        text={text}
        onClean={(cleaned) => {
          setText(cleaned);
          box.current?.focus({ preventScroll: true });
        }}
      />
      {conversationId !== null && <AskedCommands conversationId={conversationId} />}
      <ImageTray images={images} onRemove={(key) => setImages(images.filter((one) => one.key !== key))} />
      {suggest.suggestions !== null && (
        <SuggestList
          id={suggest.listId}
          suggestions={suggest.suggestions}
          chosen={suggest.chosen}
          onPick={suggest.pick}
        />
      )}
      <div className={styles.field}>
        {suggest.ranges.length > 0 && <TokenLayer ref={layer} text={text} ranges={suggest.ranges} />}
        <textarea
          ref={box}
          id={boxId}
          className={styles.box}
          value={text}
          rows={1}
          aria-label={en.composer.label}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={suggest.suggestions === null ? undefined : suggest.listId}
          aria-activedescendant={suggest.activeId}
          placeholder={isRunning ? en.composer.placeholderSteer : en.composer.placeholder}
          enterKeyHint="enter"
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value === '') repeating.retryOf = undefined;
            suggest.look();
          }}
          onSelect={suggest.look}
          onBlur={suggest.leave}
          onScroll={() => alignLayer(box.current, layer.current)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      </div>
      <ComposerButtons
        isRunning={isRunning}
        hasFiles={conversationId !== null || cwd !== ''}
        isShell={isShellText}
        isEmpty={text.trim() === '' && images.length === 0}
        isBusy={isBusy}
        onAttach={(files) => void attach(files)}
        onSubmit={() => void submit(false)}
        onQueue={() => void submit(true)}
        onStop={() => conversationId !== null && void commands.interrupt(conversationId)}
      />
    </form>
  );
}

/**
 * As tall as its text, up to a limit that the stylesheet sets. Newer browsers do it by `field-sizing`; for the others the
 * place around it is held meanwhile, since a transcript that sees its room change for a moment would let go of its end.
 */
function grow(box: HTMLTextAreaElement | null, text: string): void {
  if (box === null) return;
  const { scrollTop, parentElement: field } = box;
  if (!CSS.supports('field-sizing', 'content')) {
    if (field !== null) field.style.minHeight = `${field.offsetHeight}px`;
    box.style.height = 'auto';
    if (text !== '') box.style.height = `${box.scrollHeight}px`;
    if (field !== null) field.style.minHeight = '';
  }
  const isAtEnd = box.selectionStart === text.length;
  box.scrollTop = isAtEnd ? box.scrollHeight : scrollTop;
}

function alignLayer(box: HTMLTextAreaElement | null, layer: HTMLElement | null): void {
  if (box !== null && layer !== null) layer.scrollTop = box.scrollTop;
}
