/** The parts of the header that have no room, in one menu, each with what it would show. */
import { Ellipsis } from 'lucide-react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { showName } from '../transcript/ansi.ts';
import { Menu } from '../ui/Menu.tsx';
import type { HeaderPart } from './collapse-header.ts';
import { useEffort, useModel } from './ModelPicker.tsx';
import { describeSandbox } from './ModePicker.tsx';
import { useNetwork } from './use-network.ts';

export function MoreMenu({ collapsed }: { readonly collapsed: ReadonlySet<HeaderPart> }) {
  const meta = useApp((state) => state.meta);
  const usage = useApp((state) => state.view.live.usage);
  const isPinned = useApp((state) => state.follow === 'pinned');
  const network = useNetwork(meta);
  const model = useModel();
  const effort = useEffort();
  const { show, patch, setFollow, compact } = useCommands();
  const openDetails = () => show('details');
  const id = meta?.conversation_id;
  const settings =
    meta === null || id === undefined
      ? []
      : [
          item('model', en.header.model, model.name, openDetails),
          item('effort', en.header.effort, effort ?? undefined, openDetails),
          item(
            'mode',
            en.header.mode,
            `${en.approvalModes[meta.approval].short} · ${describeSandbox(meta.sandbox, network)}`,
            openDetails,
          ),
          item('cwd', en.header.cwd, showName(meta.cwd), openDetails),
          item('context', en.header.compact, contextHint(usage), () => void compact(id)),
          {
            ...item(
              'markdown',
              en.header.markdown,
              en.header.markdownHint,
              () => void patch(id, { markdown: !meta.markdown }),
            ),
            isChecked: meta.markdown,
          },
          {
            ...item('follow', en.header.follow, undefined, () => setFollow(isPinned ? 'free' : 'pinned')),
            isChecked: isPinned,
          },
          item('details', en.header.details, undefined, openDetails),
        ];
  const items = [...settings, item('palette', en.header.palette, undefined, () => show('palette'))];
  return (
    <Menu
      name={en.header.more}
      trigger={<Ellipsis size={16} aria-hidden />}
      groups={[{ items: items.filter(({ key }) => collapsed.has(key)) }]}
    />
  );
}

const item = (key: HeaderPart, label: string, hint: string | undefined, run: () => void) => ({ key, label, hint, run });

function contextHint(usage: { readonly total_tokens: number; readonly context_window: number | null } | null) {
  if (usage === null || !usage.context_window) return undefined;
  return en.header.contextUsed(Math.min(100, Math.round((100 * usage.total_tokens) / usage.context_window)));
}
