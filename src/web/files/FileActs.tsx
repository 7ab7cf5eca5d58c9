/** What can be done with a place in a file: name it in the message, copy its path, open it in the person's editor. */
import { AtSign, Copy, PencilLine } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ConversationId } from '../../contract/ids.ts';
import { renderMention } from '../composer/mention-token.ts';
import { mentionInDraft } from '../state/quote.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { EN_FILES } from '../strings/en-files.ts';
import { Button } from '../ui/Button.tsx';
import fields from '../ui/Field.module.css';
import { Menu } from '../ui/Menu.tsx';
import { EDITORS, type EditorAct, editorAct } from './editor.ts';
import styles from './FilePanel.module.css';
import type { Loaded } from './use-file.ts';

interface FileActsProps {
  readonly conversationId: ConversationId;
  readonly file: Loaded;
  readonly line: number | null;
}

export function FileActs({ conversationId, file, line }: FileActsProps) {
  const choice = useApp((state) => state.device.editor);
  const { setDevice, runShell, showTerminal, toast } = useCommands();
  const known = EDITORS.find(({ id }) => id === choice);
  const [isAnother, setAnother] = useState(false);
  const act = editorAct(choice, { path: file.path, line });
  const name = EN_FILES.openIn(known?.name ?? EN_FILES.editor);

  async function run(command: string): Promise<void> {
    showTerminal(true);
    const failed = await runShell(conversationId, command);
    if (failed !== null) toast({ text: failed.message, tone: 'error' });
  }

  function mention(): void {
    // There the viewer lies over the message box.
    if (matchMedia('(max-width: 700px)').matches) setDevice({ drawer: null });
    mentionInDraft(renderMention(line === null ? file.relativePath : `${file.relativePath}:${line}`));
  }

  return (
    <div className={styles.acts}>
      <Button tone="quiet" icon={<AtSign size={14} aria-hidden />} onClick={mention}>
        {EN_FILES.mention}
      </Button>
      <Button
        tone="quiet"
        icon={<Copy size={14} aria-hidden />}
        onClick={() => void navigator.clipboard.writeText(file.relativePath)}
      >
        {EN_FILES.copyPath}
      </Button>
      <span className={styles.editor}>
        <OpenInEditor act={act} name={name} onRun={(command) => void run(command)} />
        <Menu
          name={EN_FILES.choose}
          trigger=""
          hasArrow
          className={styles.choose}
          groups={[
            {
              items: [
                ...EDITORS.map((one) => ({
                  key: one.id,
                  label: one.name,
                  isChecked: one.id === choice,
                  run: () => {
                    setAnother(false);
                    setDevice({ editor: one.id });
                  },
                })),
                {
                  key: 'another',
                  label: EN_FILES.another,
                  isChecked: known === undefined,
                  run: () => setAnother(true),
                },
              ],
            },
          ]}
        />
      </span>
      {(isAnother || known === undefined) && (
        <input
          className={fields.field}
          aria-label={EN_FILES.template}
          title={EN_FILES.template}
          placeholder={EN_FILES.templateHint}
          defaultValue={known === undefined ? choice : ''}
          onChange={(event) => setDevice({ editor: event.target.value })}
        />
      )}
      {act === null && <span className={styles.unusable}>{EN_FILES.unusable}</span>}
    </div>
  );
}

interface OpenInEditorProps {
  readonly act: EditorAct | null;
  readonly name: string;
  readonly onRun: (command: string) => void;
}

function OpenInEditor({ act, name, onRun }: OpenInEditorProps): ReactNode {
  const icon = <PencilLine size={14} aria-hidden />;
  if (act?.kind === 'address') {
    return (
      <a className={styles.open} href={act.href}>
        {icon}
        {name}
      </a>
    );
  }
  return (
    <Button icon={icon} disabled={act === null} onClick={() => act !== null && onRun(act.command)}>
      {name}
    </Button>
  );
}
