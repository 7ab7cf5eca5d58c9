/** Everything about this conversation that can be set, in one place; on a phone the only place. */
import { useState } from 'react';
import { CwdField } from '../conversations/CwdField.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_SETTINGS } from '../strings/en-settings.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ContextSwitches } from './ContextSwitches.tsx';
import styles from './Details.module.css';
import { EffortPicker, ModelPicker } from './ModelPicker.tsx';
import { ModePicker } from './ModePicker.tsx';

export function Details() {
  const meta = useApp((state) => state.meta);
  const { show, patch } = useCommands();
  const [cwd, setCwd] = useState(meta?.cwd ?? '');
  if (meta === null) return null;
  const id = meta.conversation_id;
  return (
    <Dialog title={en.header.details} onClose={() => show('none')}>
      <div className={styles.body}>
        <div className={styles.pickers}>
          <ModelPicker />
          <EffortPicker />
          <ModePicker />
        </div>
        <form
          className={styles.cwd}
          onSubmit={(event) => {
            event.preventDefault();
            void patch(id, { cwd });
          }}
        >
          <CwdField label={en.header.cwd} value={cwd} onChange={setCwd} />
          <Button type="submit" disabled={cwd === meta.cwd || cwd === ''}>
            {en.header.changeCwd}
          </Button>
        </form>
        <p className={styles.hint}>{en.header.cwdHint}</p>
        <label className={styles.line}>
          <input
            type="checkbox"
            checked={meta.markdown}
            onChange={(event) => void patch(id, { markdown: event.target.checked })}
          />
          {en.header.markdown}
        </label>
        <label className={styles.line}>
          <input
            type="number"
            min={1}
            max={10_000}
            defaultValue={meta.command_output_lines}
            onBlur={(event) => {
              const lines = event.target.valueAsNumber;
              if (Number.isInteger(lines) && lines >= 1) void patch(id, { command_output_lines: lines });
            }}
          />
          {EN_SETTINGS.general.outputLines}
        </label>
        <ContextSwitches />
      </div>
    </Dialog>
  );
}
