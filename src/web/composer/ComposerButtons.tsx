/** Send, Queue, Steer, Stop, Run: each its own button, each says its rule. */
import { ArrowUp, CornerDownRight, ImagePlus, ListPlus, Square, SquareTerminal } from 'lucide-react';
import { useRef } from 'react';
import { en } from '../strings/en.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ComposerButtons.module.css';
import { ShellModeToggle } from './ShellModeToggle.tsx';

interface ComposerButtonsProps {
  readonly isRunning: boolean;
  /** Files can be mentioned: there is a conversation to look in. */
  readonly hasFiles: boolean;
  readonly isShell: boolean;
  readonly isEmpty: boolean;
  readonly isBusy: boolean;
  readonly onAttach: (files: Iterable<File>) => void;
  readonly onSubmit: () => void;
  readonly onQueue: () => void;
  readonly onStop: () => void;
}

export function ComposerButtons(props: ComposerButtonsProps) {
  const { isRunning, isShell, isEmpty, isBusy } = props;
  const picker = useRef<HTMLInputElement>(null);
  const isOff = isEmpty || isBusy;
  return (
    <div className={styles.buttons}>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label={en.composer.attach}
        onChange={(event) => {
          props.onAttach([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button
        tone="quiet"
        icon={<ImagePlus size={16} />}
        name={en.composer.attach}
        onClick={() => picker.current?.click()}
      />
      <ShellModeToggle />
      <span className={styles.hint}>
        {isRunning ? en.composer.hintRunning : props.hasFiles ? en.composer.hint : en.composer.hintHome}
      </span>
      {isRunning && (
        <Button tone="danger" title={en.composer.stopHint} onClick={props.onStop}>
          <Square size={12} aria-hidden />
          {en.composer.stop}
        </Button>
      )}
      {isShell && (
        <Button tone="primary" title={en.composer.runHint} disabled={isOff} onClick={props.onSubmit}>
          <SquareTerminal size={14} aria-hidden />
          {en.composer.run}
        </Button>
      )}
      {!isShell && isRunning && (
        <>
          <Button title={en.composer.queueHint} disabled={isOff} onClick={props.onQueue}>
            <ListPlus size={14} aria-hidden />
            {en.composer.queue}
          </Button>
          <Button tone="primary" title={en.composer.steerHint} disabled={isOff} onClick={props.onSubmit}>
            <CornerDownRight size={14} aria-hidden />
            {en.composer.steer}
          </Button>
        </>
      )}
      {!isShell && !isRunning && (
        <Button tone="primary" title={en.composer.sendHint} disabled={isOff} onClick={props.onSubmit}>
          <ArrowUp size={14} aria-hidden />
          {en.composer.send}
        </Button>
      )}
    </div>
  );
}
