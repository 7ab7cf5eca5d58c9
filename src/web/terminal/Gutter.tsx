/** Beside the lines in view: a mark at each command, with its end and what can be done with it. */
import type { TerminalKey } from '../../contract/terminal.ts';
import { classes } from '../ui/classes.ts';
import { BlockMark } from './BlockMark.tsx';
import { BlockMenu } from './BlockMenu.tsx';
import { toneOf } from './block-list.ts';
import styles from './TerminalPane.module.css';
import type { TerminalView } from './terminal-view.ts';
import { useShown } from './use-shown.ts';

interface GutterProps {
  readonly terminalKey: TerminalKey;
  readonly view: TerminalView;
}

export function Gutter({ terminalKey, view }: GutterProps) {
  const marks = useShown(view, (shown) => shown.marks);
  const blocks = useShown(view, (shown) => shown.blocks);
  const current = useShown(view, (shown) => shown.current);
  return (
    <div className={styles.gutter}>
      {marks.map(({ blockId, y }) => {
        const block = blocks.find((one) => one.block_id === blockId);
        if (block === undefined) return null;
        return (
          <div
            key={blockId}
            className={classes(styles.place, blockId === current && styles.current)}
            style={{ transform: `translateY(${y}px)` }}
            data-block={blockId}
          >
            <BlockMenu
              terminalKey={terminalKey}
              block={block}
              className={styles.mark}
              trigger={<BlockMark tone={toneOf(block)} />}
            />
          </div>
        );
      })}
    </div>
  );
}
