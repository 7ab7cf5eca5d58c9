/** Every command of the terminal, newest first, found by its text or by what it printed. */
import { Ellipsis, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Block, TerminalKey } from '../../contract/terminal.ts';
import { createLatest, type Latest } from '../state/latest.ts';
import { useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_TERMINAL_PANE } from '../strings/en-terminal-pane.ts';
import { showExact } from '../transcript/ansi.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import { BlockMark } from './BlockMark.tsx';
import { BlockMenu } from './BlockMenu.tsx';
import { searchBlocks, toneOf } from './block-list.ts';
import { describeEnd } from './describe-end.ts';
import styles from './TerminalPane.module.css';
import type { TerminalView } from './terminal-view.ts';
import { useShown } from './use-shown.ts';

interface BlockPanelProps {
  readonly terminalKey: TerminalKey;
  readonly view: TerminalView;
  readonly onClose: () => void;
}

/** More are found by a word. */
const MAX_SHOWN = 100;

export function BlockPanel({ terminalKey, view, onClose }: BlockPanelProps) {
  const [query, setQuery] = useState('');
  const blocks = useShown(view, (shown) => shown.blocks);
  const current = useShown(view, (shown) => shown.current);
  const found = useFoundBlocks(terminalKey, query.trim());
  // The server looks into outputs as well; until it answers, what is known here.
  const shown = (found === null ? searchBlocks(blocks, query) : found.toReversed()).slice(0, MAX_SHOWN);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  return (
    <search className={fields.strip} aria-label={EN_TERMINAL_PANE.commands} onKeyDown={onKeyDown}>
      <div className={fields.bar}>
        <input
          type="search"
          className={fields.field}
          aria-label={EN_TERMINAL_PANE.searchCommands}
          placeholder={EN_TERMINAL_PANE.searchCommands}
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked to type here
          autoFocus
          value={query}
          maxLength={400}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Button tone="quiet" icon={<X size={16} />} name={en.close} onClick={onClose} />
      </div>
      {shown.length === 0 && (
        <p className={styles.none}>{query === '' ? EN_TERMINAL_PANE.noCommands : EN_TERMINAL_PANE.noneFound}</p>
      )}
      <ul className={styles.blocks}>
        {shown.map((block) => (
          <li key={block.block_id} className={styles.block} aria-current={block.block_id === current || undefined}>
            <Row block={block} onPick={() => view.jumpTo(block) && onClose()} />
            <BlockMenu
              terminalKey={terminalKey}
              block={block}
              className={styles.menu}
              trigger={<Ellipsis size={16} aria-hidden />}
            />
          </li>
        ))}
      </ul>
    </search>
  );
}

function Row({ block, onPick }: { readonly block: Block; readonly onPick: () => void }) {
  return (
    <button type="button" className={styles.row} title={EN_TERMINAL_PANE.reveal} onClick={onPick}>
      <BlockMark tone={toneOf(block)} />
      <code className={styles.command}>{showExact(block.cmd).replaceAll('\n', ' ↵ ')}</code>
      <span className={styles.end}>{describeEnd(block)}</span>
    </button>
  );
}

/** Null while nothing is asked, or nothing has come back. */
function useFoundBlocks(terminalKey: TerminalKey, query: string): readonly Block[] | null {
  const { readBlocks } = useCommands();
  const [found, setFound] = useState<{ readonly query: string; readonly blocks: readonly Block[] } | null>(null);
  const latest = useRef<Latest<string> | null>(null);
  useEffect(() => {
    const made = createLatest<string, readonly Block[] | null>(
      (asked) => readBlocks(terminalKey, asked),
      (blocks, asked) => setFound(blocks === null ? null : { query: asked, blocks }),
    );
    latest.current = made;
    return made.forget;
  }, [terminalKey, readBlocks]);
  useEffect(() => {
    if (query !== '') latest.current?.ask(query);
  }, [query]);
  return query !== '' && found?.query === query ? found.blocks : null;
}
