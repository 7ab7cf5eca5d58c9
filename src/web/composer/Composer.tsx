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
import { useApp, useCommands, useGetState } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import styles from './Composer.module.css';
import { ComposerButtons } from './ComposerButtons.tsx';
import { ImageTray } from './ImageTray.tsx';
import { enterMeans, isShell, planSubmit } from './plan-submit.ts';
import { type Attached, readImages } from './read-images.ts';
import { useDraft } from './use-draft.ts';

interface ComposerProps {
  /** Null on the home page: then sending begins a conversation. */
  readonly conversationId: ConversationId | null;
  readonly cwd?: string;
  readonly initialText?: string;
}

const DOUBLE_MS = 600;

export function Composer({ conversationId, cwd = '', initialText = '' }: ComposerProps) {
  const { text, setText } = useDraft(conversationId, initialText);
  const [images, setImages] = useState<readonly Attached[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isRunning = useApp((state) => conversationId !== null && state.view.live.activity.state !== 'idle');
  const commands = useCommands();
  const history = useHistory();
  const box = useRef<HTMLTextAreaElement>(null);
  const lastEscape = useRef(0);

  useLayoutEffect(() => grow(box.current, text), [text]);
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches) box.current?.focus({ preventScroll: true });
  }, []);

  async function submit(wantsQueue: boolean): Promise<void> {
    const plan = planSubmit({ text, imageCount: images.length, isRunning, wantsQueue });
    if (plan.act === 'none' || isBusy) return;
    const kept = { text, images };
    setError(null);
    setBusy(true);
    const id = conversationId ?? (await commands.create(cwd === '' ? {} : { cwd }));
    setBusy(false);
    if (id === null) return;
    setText('');
    setImages([]);
    const sent = kept.images.map((one) => one.image);
    const failure =
      plan.act === 'shell'
        ? await commands.runShell(id, plan.command)
        : await commands.send(id, kept.text, sent, plan.mode);
    if (failure !== null) giveBack(id, kept, failure);
  }

  /** What was not taken comes back into the box, before anything typed since. */
  function giveBack(id: ConversationId, kept: { text: string; images: readonly Attached[] }, failure: Failure): void {
    if (conversationId === null) {
      void commands.patch(id, { draft: kept.text });
      commands.toast({ text: failure.message, tone: 'error' });
      return;
    }
    const typedSince = box.current?.value ?? '';
    setText(typedSince === '' ? kept.text : `${kept.text}\n\n${typedSince}`);
    setImages(kept.images);
    setError(failure.message);
  }

  async function attach(files: Iterable<File>): Promise<void> {
    const { attached, refused } = await readImages(files);
    setImages((all) => [...all, ...attached]);
    setError(refused.length === 0 ? null : refused.join(' '));
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
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
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const next = history.step(event.key === 'ArrowUp' ? 1 : -1, text);
      if (next === null) return;
      event.preventDefault();
      setText(next);
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
        <p className={styles.error} role="alert">
          {error} {en.composer.kept}
        </p>
      )}
      <ImageTray images={images} onRemove={(key) => setImages(images.filter((one) => one.key !== key))} />
      <textarea
        ref={box}
        id="composer"
        className={styles.box}
        value={text}
        rows={1}
        aria-label={en.composer.label}
        placeholder={isRunning ? en.composer.placeholderSteer : en.composer.placeholder}
        enterKeyHint="enter"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <ComposerButtons
        isRunning={isRunning}
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

/** As tall as its text, up to a limit that the stylesheet sets. */
function grow(box: HTMLTextAreaElement | null, text: string): void {
  if (box === null) return;
  box.style.height = 'auto';
  if (text !== '') box.style.height = `${box.scrollHeight}px`;
}

/** ↑ in an empty box goes back through what was said; ↓ forward again. Text that somebody changed is never replaced. */
function useHistory(): { readonly step: (by: 1 | -1, text: string) => string | null } {
  const getState = useGetState();
  const place = useRef({ back: 0, text: '' });
  return {
    step: (by, text) => {
      const said = getState().view.entries.flatMap((entry) =>
        entry.role === 'user' && entry.text !== '' ? [entry.text] : [],
      );
      if (text !== '' && text !== place.current.text) return null;
      const back = (text === '' ? 0 : place.current.back) + by;
      if (back < 0 || back > said.length) return null;
      const next = back === 0 ? '' : (said.at(-back) ?? '');
      place.current = { back, text: next };
      return next;
    },
  };
}
