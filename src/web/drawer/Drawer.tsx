/** The right side: one panel or two, beside the conversation on a wide screen and over it on a narrow one. */
import { useApp } from '../state/use-app.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useOfferedPanels } from './panels.tsx';

const OpenDrawer = lazyPart((later) => later.OpenDrawer);

export function Drawer() {
  const openPanel = useApp((state) => state.device.drawer);
  const panels = useOfferedPanels();
  const panel = panels.find(({ id }) => id === openPanel);
  return panel !== undefined && <OpenDrawer panel={panel} panels={panels} />;
}
