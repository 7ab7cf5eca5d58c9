/** The buttons under a failure: each says what it does. */
import type { ShipAction, ShipFailure } from '../../contract/ship.ts';
import { quoteIntoDraft } from '../state/quote.ts';
import { EN_SHIP } from '../strings/en-ship.ts';
import { Button } from '../ui/Button.tsx';
import { nextSteps } from './next-steps.ts';
import { quoteFailure } from './quote-failure.ts';
import styles from './Ship.module.css';
import type { Ship } from './use-ship.ts';

interface NextStepsProps {
  readonly action: ShipAction;
  readonly failure: ShipFailure;
  readonly output: string;
  readonly ship: Ship;
  readonly onAsk: () => void;
}

export function NextSteps({ action, failure, output, ship, onAsk }: NextStepsProps) {
  const steps = nextSteps({ action, reason: failure.reason, wanted: ship.wanted });
  if (steps.length === 0) return null;
  return (
    <>
      {steps.some(({ kind }) => kind === 'overwrite') && <p className={styles.hint}>{EN_SHIP.next.overwriteHint}</p>}
      <div className={styles.row}>
        {steps.map(({ kind, wanted, isGrave }) => (
          <Button
            key={kind}
            tone={isGrave ? 'danger' : 'plain'}
            aria-disabled={wanted !== null && ship.isBusy}
            onClick={() => {
              if (wanted !== null) return void ship.act(wanted);
              // First, since the message box takes no focus while a dialog is over it.
              onAsk();
              quoteIntoDraft(quoteFailure(failure, output));
            }}
          >
            {EN_SHIP.next[kind]}
          </Button>
        ))}
      </div>
    </>
  );
}
