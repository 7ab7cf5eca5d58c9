/** Tokens over the conversation's turns. Loaded on demand, with its plotting library. */
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { ROUTE_TABLE } from 'virtual:routes';
import type { ConversationId } from '../../contract/ids.ts';
import { createCall } from '../state/call.ts';
import { pageSession } from '../state/page-session.ts';
import { en } from '../strings/en.ts';
import { formatCompact } from '../ui/format.ts';
import styles from './ContextRing.module.css';
import { type Series, seriesOf } from './usage-series.ts';

const WIDTH = 296;
const HEIGHT = 132;

const call = createCall({ table: ROUTE_TABLE, fetch: pageSession.fetch, onSignedOut: () => undefined });

export function ContextRingPlot({ conversationId }: { readonly conversationId: ConversationId }) {
  const [series, setSeries] = useState<Series | 'failed' | null>(null);
  useEffect(() => {
    let isStale = false;
    void call('usage', { conversation_id: conversationId }).then((answer) => {
      if (!isStale) setSeries(answer.ok ? seriesOf(answer.value.points) : 'failed');
    });
    return () => {
      isStale = true;
    };
  }, [conversationId]);
  if (series === null) return <div className={styles.plot}>{en.loading}</div>;
  if (series === 'failed') return <div className={styles.plot}>{en.header.usageFailed}</div>;
  if (series.turns.length === 0) return <div className={styles.plot}>{en.header.usageNone}</div>;
  return (
    <div className={styles.plot}>
      <div className={styles.legend}>
        <span>{en.header.usageContext}</span>
        <span className={styles.written}>{en.header.usageOutput}</span>
      </div>
      <Plot series={series} />
    </div>
  );
}

function Plot({ series }: { readonly series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const token = (name: string) => getComputedStyle(box).getPropertyValue(name).trim();
    const color = (name: string) => resolve(box, token(name));
    const axis = {
      stroke: color('--ink-3'),
      font: '11px system-ui',
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
    };
    const line = (name: string) => ({ stroke: color(name), width: 2, points: { show: series.turns.length < 30 } });
    const plot = new uPlot(
      {
        width: WIDTH,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [1, Math.max(2, series.turns.length)] },
          y: { range: (_, __, max) => [0, max * 1.1] },
        },
        axes: [
          { ...axis, size: 24, values: (_, all) => all.map((n) => (Number.isInteger(n) ? String(n) : '')) },
          { ...axis, size: 44, values: (_, all) => all.map((n) => formatCompact(n)) },
        ],
        series: [{}, line('--accent'), line('--info')],
      },
      [[...series.turns], [...series.context], [...series.written]],
      box,
    );
    return () => plot.destroy();
  }, [series]);
  return <div ref={place} role="img" aria-label={en.header.usagePlot} />;
}

/** A canvas does not know `light-dark()`: let the browser work the color out. */
function resolve(near: HTMLElement, wanted: string): string {
  const probe = document.createElement('span');
  probe.style.color = wanted;
  near.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
