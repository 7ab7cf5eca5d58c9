/** How full the model's context is, as a ring and a number; the numbers and what to do about it in the menu. */
import { lazy, Suspense } from 'react';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { formatCompact } from '../ui/format.ts';
import { Menu } from '../ui/Menu.tsx';
import styles from './ContextRing.module.css';

/** Fetched when somebody looks. */
const UsagePlot = lazy(async () => ({ default: (await import('./ContextRingPlot.tsx')).ContextRingPlot }));

const RADIUS = 6;
const AROUND = 2 * Math.PI * RADIUS;

export function ContextRing() {
  const usage = useApp((state) => state.view.live.usage);
  const openId = useApp((state) => state.openId);
  const { compact } = useCommands();
  if (usage === null || openId === null || usage.context_window === null || usage.context_window === 0) return null;
  const share = Math.min(1, usage.total_tokens / usage.context_window);
  const percent = Math.round(share * 100);
  const tone = share > 0.9 ? styles.full : share > 0.7 ? styles.high : styles.low;
  return (
    <Menu
      name={en.header.contextUsed(percent)}
      trigger={
        <>
          <svg width="16" height="16" viewBox="0 0 16 16" className={tone} aria-hidden="true">
            <circle cx="8" cy="8" r={RADIUS} className={styles.track} />
            <circle
              cx="8"
              cy="8"
              r={RADIUS}
              className={styles.used}
              strokeDasharray={`${share * AROUND} ${AROUND}`}
              transform="rotate(-90 8 8)"
            />
          </svg>
          <span className={styles.percent}>{`${percent} %`}</span>
        </>
      }
      groups={[
        {
          title: en.header.contextNumbers(formatCompact(usage.total_tokens), formatCompact(usage.context_window)),
          items: [
            {
              key: 'compact',
              label: en.header.compact,
              hint: en.header.contextTotal(formatCompact(usage.cumulative_tokens)),
              run: () => void compact(openId),
            },
          ],
        },
      ]}
      footer={
        <Suspense fallback={<div className={styles.plot}>{en.loading}</div>}>
          <UsagePlot conversationId={openId} />
        </Suspense>
      }
    />
  );
}
