/** What Codex may do without asking, by its effect. */
import { Globe, GlobeOff, Shield, ShieldAlert } from 'lucide-react';
import type { ApprovalMode, ConversationMeta, Sandbox } from '../../contract/conversation.ts';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { classes } from '../ui/classes.ts';
import { Menu } from '../ui/Menu.tsx';
import styles from './ModePicker.module.css';
import { useNetwork } from './use-network.ts';

const MODES: readonly ApprovalMode[] = ['untrusted', 'on-request', 'never'];
const SANDBOXES: readonly Sandbox[] = ['read-only', 'workspace-write', 'danger-full-access'];

/** What a sandbox allows; of the chosen one also whether it reaches the network now. */
function hintOf(sandbox: Sandbox, network: boolean | null): string {
  const { 'workspace-write': write } = en.sandboxes;
  if (sandbox !== 'workspace-write' || network === null) return en.sandboxes[sandbox].text;
  return network ? write.online : write.offline;
}

/** Whether commands reach the network; null where the server has not said yet. */
function networkOf(sandbox: Sandbox, network: boolean | null): boolean | null {
  if (sandbox === 'workspace-write') return network;
  return sandbox === 'danger-full-access';
}

export function describeSandbox(sandbox: Sandbox, network: boolean | null): string {
  const { short } = en.sandboxes[sandbox];
  if (sandbox !== 'workspace-write' || network === null) return short;
  return `${short} · ${network ? en.network.on : en.network.off}`;
}

function NetworkSign({ isOn }: { readonly isOn: boolean }) {
  const Icon = isOn ? Globe : GlobeOff;
  return <Icon data-sign size={14} role="img" aria-label={isOn ? en.network.on : en.network.off} />;
}

/** `isBrief`: the sandbox is left to the menu, and a sign says whether commands reach the network. */
export function ModePicker({ isBrief = false }: { readonly isBrief?: boolean }) {
  const meta = useApp((state) => state.meta);
  const { patch } = useCommands();
  const network = useNetwork(meta);
  if (meta === null) return null;
  const change = (patched: Partial<Mode>) => void patch(meta.conversation_id, patched);
  return <ModeMenu value={meta} network={network} isBrief={isBrief} onChange={change} />;
}

type Mode = Pick<ConversationMeta, 'approval' | 'sandbox' | 'mode'>;

interface ModeMenuProps {
  readonly value: Mode;
  /** Whether the sandbox reaches the network; null while that is not known. */
  readonly network: boolean | null;
  readonly isBrief?: boolean;
  readonly onChange: (change: Partial<Mode>) => void;
}

export function ModeMenu({ value, network, isBrief = false, onChange }: ModeMenuProps) {
  const reach = networkOf(value.sandbox, network);
  const isOpenRisk = value.approval === 'never' && value.sandbox === 'danger-full-access';
  const Icon = value.sandbox === 'danger-full-access' ? ShieldAlert : Shield;
  return (
    <Menu
      name={en.header.mode}
      className={isOpenRisk ? styles.risk : undefined}
      trigger={
        <>
          <Icon size={14} aria-hidden />
          <span className={styles.words}>{en.approvalModes[value.approval].short}</span>
          {value.mode === 'plan' && <span className={styles.plan}>{en.modes.plan.short}</span>}
          {isBrief && reach !== null && <NetworkSign isOn={reach} />}
          {/* Stays in the document while it has no room, so that the header knows its width. */}
          <span data-part="sandbox" className={classes(styles.sandbox, isBrief && styles.unseen)}>
            {describeSandbox(value.sandbox, network)}
          </span>
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
            isChecked: value.mode === mode,
            run: () => onChange({ mode }),
          })),
        },
        {
          title: en.header.approvals,
          items: MODES.map((mode) => ({
            key: mode,
            label: en.approvalModes[mode].name,
            hint: en.approvalModes[mode].text,
            isChecked: value.approval === mode,
            run: () => onChange({ approval: mode }),
          })),
        },
        {
          title: en.header.sandbox,
          items: SANDBOXES.map((sandbox) => ({
            key: sandbox,
            label: en.sandboxes[sandbox].name,
            hint: hintOf(sandbox, value.sandbox === sandbox ? network : null),
            isChecked: value.sandbox === sandbox,
            isDangerous: sandbox === 'danger-full-access',
            run: () => onChange({ sandbox }),
          })),
        },
      ]}
      footer={isOpenRisk && <p className={styles.warning}>{en.header.openRisk}</p>}
    />
  );
}
