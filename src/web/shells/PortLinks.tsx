/** Links to the ports on which a shell listens. They are links only where `localhost` is the machine of Signalbox. */
import type { ShellView } from '../../contract/shellspec.ts';
import { EN_SHELLS } from '../strings/en-shells.ts';
import { OutsideLink } from '../ui/OutsideLink.tsx';
import styles from './ShellsPanel.module.css';

/** A shell with more has ports of other uses among them. */
const MAX_PORTS = 4;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

export function PortLinks({ shell: { usage } }: { readonly shell: ShellView }) {
  if (usage === null || usage.ports.length === 0) return null;
  const isHere = LOOPBACK.test(location.hostname);
  return (
    <span className={styles.ports}>
      {usage.ports.slice(0, MAX_PORTS).map((port) =>
        isHere ? (
          <OutsideLink key={port} href={`http://localhost:${port}/`}>
            {EN_SHELLS.port(port)}
          </OutsideLink>
        ) : (
          <span key={port} title={EN_SHELLS.farPort(port)}>
            :{port}
          </span>
        ),
      )}
    </span>
  );
}
