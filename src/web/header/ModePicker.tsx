/** What Codex may do without asking, by its effect. */
import { Shield, ShieldAlert } from 'lucide-react';
import type { ApprovalMode, Sandbox } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { Menu } from '../ui/Menu.tsx';
import styles from './ModePicker.module.css';

const MODES: readonly ApprovalMode[] = ['untrusted', 'on-request', 'never'];
const SANDBOXES: readonly Sandbox[] = ['read-only', 'workspace-write', 'danger-full-access'];

export function ModePicker() {
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  if (meta === null) return null;
  const isOpenRisk = meta.approval === 'never' && meta.sandbox === 'danger-full-access';
  const Icon = meta.sandbox === 'danger-full-access' ? ShieldAlert : Shield;
  return (
    <Menu
      name={en.header.mode}
      className={isOpenRisk ? styles.risk : undefined}
      trigger={
        <>
          <Icon size={14} aria-hidden />
          <span className={styles.words}>{en.approvalModes[meta.approval].short}</span>
          {meta.mode === 'plan' && <span className={styles.plan}>{en.modes.plan.short}</span>}
          <span className={styles.sandbox}>{en.sandboxes[meta.sandbox].short}</span>
        </>
      }
      hasArrow
      groups={[
        {
          title: en.modes.title,
          items: (['default', 'plan'] as const).map((mode) => ({
            key: mode,
            label: en.modes[mode].name,
            hint: en.modes[mode].text,
            isChecked: meta.mode === mode,
            run: () => void patch(meta.conversation_id, { mode }),
          })),
        },
        {
          title: en.header.approvals,
          items: MODES.map((mode) => ({
            key: mode,
            label: en.approvalModes[mode].name,
            hint: en.approvalModes[mode].text,
            isChecked: meta.approval === mode,
            run: () => void patch(meta.conversation_id, { approval: mode }),
          })),
        },
        {
          title: en.header.sandbox,
          items: SANDBOXES.map((sandbox) => ({
            key: sandbox,
            label: en.sandboxes[sandbox].name,
            hint: en.sandboxes[sandbox].text,
            isChecked: meta.sandbox === sandbox,
            isDangerous: sandbox === 'danger-full-access',
            run: () => void patch(meta.conversation_id, { sandbox }),
          })),
        },
      ]}
      footer={isOpenRisk && <p className={styles.warning}>{en.header.openRisk}</p>}
    />
  );
}
