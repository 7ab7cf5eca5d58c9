/** Export formats. */
import { describe, expect, test } from 'vitest';
import { Entry, type NewEntry } from '../../contract/entry.ts';
import { renderMarkdownHtml } from '../../markdown/render-html.ts';
import { sampleMeta } from '../../testing/samples.ts';
import { gatherDeliveries } from '../conversations/reduce-deliveries.ts';
import type { Format } from './render-formats.ts';
import { createRenderer } from './render-transcript.ts';

const META = sampleMeta({ label: 'A <talk> & *more*', model: 'gpt', cwd: '/tmp/`x`', revision: 1 });

function render(format: Format, ...entries: readonly (NewEntry | Record<string, unknown>)[]): string {
  const renderer = createRenderer(format, renderMarkdownHtml);
  const stamped = entries.map((entry, index) => ({ seq: index + 1, ts: '2026-01-01T00:00:00.000Z', ...entry }));
  const read = stamped.map((raw) => ({ raw, known: Entry.safeParse(raw).data ?? null }));
  const deliveries = gatherDeliveries(
    read.flatMap(({ known }) => (known === null ? [] : [known])),
    'end',
  );
  return renderer.head(META) + read.map((entry) => renderer.entry(entry, deliveries)).join('') + renderer.tail();
}

const EVIL = '</pre><script>alert(1)</script><img src=x onerror="alert(1)">\x1b]0;x\x07';

describe('[CL22] HTML', () => {
  test('is self-contained and runs nothing', () => {
    const html = render(
      'html',
      { role: 'user', text: EVIL },
      { role: 'assistant', text: EVIL, status: 'completed' },
      { role: 'note', kind: 'api', text: EVIL },
    );
    const tags = new Set([...html.matchAll(/<([a-z]\w*)/g)].map(([, tag]) => tag));
    expect(
      [...tags].filter((tag) => /^(script|img|link|iframe|object|embed|a|form|base|svg)$/.test(tag ?? '')),
    ).toEqual([]);
    expect(html).not.toMatch('<!--');
    expect(html).not.toMatch('\x1b');
    expect(html).toMatch("default-src 'none'");
    expect(html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)).toHaveLength(3);
    expect(html).toMatch('<title>A &lt;talk&gt; &amp; *more*</title>');
    expect(html.trimEnd().endsWith('</html>')).toBe(true);
  });
  test('has a section for each entry that says something', () => {
    const html = render(
      'html',
      { role: 'status', status: 'success', turn_status: 'completed', duration_ms: 1 },
      { role: 'status', status: 'error', turn_status: 'failed', duration_ms: 1 },
      { role: 'of the future', text: 'x' },
    );
    expect(html.match(/<section>/g)).toHaveLength(2);
    expect(html).toMatch('Turn failed');
    expect(html).toMatch('An entry this version does not know');
  });
});

describe('[CL22] Markdown', () => {
  test('keeps text in its fence', () => {
    const output = 'a\n````\n# not a heading\n```';
    const md = render('md', {
      role: 'command',
      command: 'cat x',
      cwd: '/',
      output,
      exit_code: 2,
      duration_ms: 1,
      status: 'failed',
      actions: [],
    });
    expect(md).toMatch('## Command (failed) (exit 2) · 2026-01-01T00:00:00.000Z\n\n```sh\ncat x\n```\n');
    expect(md).toMatch(`\n\`\`\`\`\`\n${output}\n\`\`\`\`\`\n`);
  });
  test('escapes the title and the facts', () => {
    expect(render('md')).toMatch('# A \\<talk\\> & \\*more\\*\n');
    expect(render('md')).toMatch("- directory: `/tmp/'x'`\n");
  });
});

describe('[CL22] JSON', () => {
  test('is one document with the entries as they are', () => {
    const entries: Record<string, unknown>[] = [
      { role: 'user', text: EVIL },
      { role: 'of the future', anything: [1, { deep: '\u202e' }] },
    ];
    const document = JSON.parse(render('json', ...entries));
    expect(document.conversation).toEqual(META);
    expect(document.entries.map(({ seq: _seq, ts: _ts, ...rest }: Entry) => rest)).toEqual(entries);
    expect(JSON.parse(render('json'))).toEqual({ conversation: META, entries: [] });
  });
});

test('[CL22] every role has a heading or is left out on purpose', () => {
  const entries: NewEntry[] = [
    { role: 'reasoning', text: 'why', status: 'completed' },
    { role: 'plan', steps: [{ step: 'one', status: 'in_progress' }] },
    { role: 'diff', diff_id: 'd', diff: '+x', files: [], status: 'applied' },
    { role: 'approval', approval_id: 'a', kind: 'command', status: 'declined', title: 'Run it?', command: 'rm' },
    { role: 'shell_input', command: 'ls' },
    { role: 'shell_output', command: 'ls', stdout: 'x', stderr: 'y', exit_code: 0, duration_ms: 1 },
    { role: 'tool', kind: 'mcp', server: 's', name: 't', output: 'done', status: 'completed', duration_ms: 1 },
    { role: 'error', text: 'bad' },
    { role: 'warning', text: 'hm' },
    {
      role: 'user',
      text: 'look',
      images: [
        { kind: 'url', value: 'data:image/png;base64,AAAA' },
        { kind: 'path', value: '/a.png' },
      ],
    },
  ];
  const headings = [...render('md', ...entries).matchAll(/^## (.*) · /gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'Reasoning',
    'Plan',
    'Changes',
    'Approval declined',
    'Your command',
    'Output of your command',
    'Tool s.t',
    'Error',
    'Warning',
    'You',
  ]);
  expect(render('md', ...entries)).toMatch('look\n[image: data:image/png]\n[image: /a.png]\n');
  expect(render('md', ...entries)).toMatch('- [~] one');
});

describe('[CL30] a message that was not delivered', () => {
  const sent: NewEntry = { role: 'user', text: 'do it', client_message_id: 'm1', mode: 'send', state: 'sent' };
  const lost: NewEntry = {
    role: 'delivery',
    client_message_id: 'm1',
    state: 'not_delivered',
    reason: 'codex_exited',
    text: 'Codex stopped before it kept this message.',
  };
  const again: NewEntry = { ...sent, client_message_id: 'm2', retry_of: 'm1' };
  const taken: NewEntry = { role: 'delivery', client_message_id: 'm2', state: 'delivered', turn_id: 't', item_id: 'i' };

  test('is marked at the message in Markdown and HTML, without a section of its own', () => {
    const md = render('md', sent, lost);
    expect(md).toMatch(
      /## You \(not delivered\) · .*\n\ndo it\n\n\[Not delivered: Codex stopped before it kept this message\.\]\n$/,
    );
    expect(md.match(/^## /gm)).toHaveLength(1);
    const html = render('html', sent, lost);
    expect(html).toMatch('<h2>You (not delivered) <time>');
    expect(html).toMatch('<p>do it</p>\n<p>[Not delivered: Codex stopped before it kept this message.]</p>');
    expect(html.match(/<section>/g)).toHaveLength(1);
  });

  test('says that it was sent again; what was delivered says nothing', () => {
    const md = render('md', sent, lost, again, taken);
    expect([...md.matchAll(/^## (.*) · /gm)].map(([, heading]) => heading)).toEqual(['You (not delivered)', 'You']);
    expect(md).toMatch('kept this message. Sent again below.]');
    expect(md.match(/ot delivered/g)).toHaveLength(2);
  });

  test('has what became of it in JSON, beside the entries as they are', () => {
    const { entries } = JSON.parse(
      render('json', sent, lost, again, taken, { role: 'user', text: 'old', turn_id: 't' }),
    );
    expect(entries).toMatchObject([
      { role: 'user', delivery: { state: 'not_delivered', reason: 'codex_exited', text: lost.text } },
      { role: 'delivery' },
      { role: 'user', retry_of: 'm1', delivery: { state: 'delivered', turn_id: 't', item_id: 'i' } },
      { role: 'delivery' },
      { role: 'user', text: 'old' },
    ]);
    expect(entries.at(-1)).not.toHaveProperty('delivery');
  });
});
