/** The longer texts that the demo model recites. */

export const MARKDOWN_SAMPLE = `# A page of Markdown

Some **bold**, some *italic*, some ~~struck~~ text, \`inline code\` and a [link](https://example.com/).

## A table

| Shell | Prompt marks | Since |
|:------|:------------:|------:|
| bash  | yes          |  1989 |
| zsh   | yes          |  1990 |
| fish  | yes          |  2005 |

## Tasks

- [x] Open a conversation
- [x] Ask for Markdown
- [ ] Sign in, to talk to a real model

## Code

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

\`\`\`python
def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
\`\`\`

## A nested list

1. Signals
   - for shunting
     - red over white
   - for trains
2. Points
3. Levers

> "The signalman sees the whole line."
>
> > A quote within a quote.

---

Some things that must come out as text: <b>not bold</b>, 1 < 2 && 3 > 2, and a long word: ${'signal'.repeat(20)}.
`;

export const THOUGHTS: readonly string[] = [
  '**Reading the question**\n\nThe message asks me to think. I am a script, so this is a recital: it shows how a reasoning summary arrives, part by part.',
  '**Weighing the choices**\n\nI could answer at once, which shows nothing, or in several parts with a little pause, which shows how the page folds and unfolds them. The second is more use.',
  '**Checking for traps**\n\nA summary may hold `code`, lists and emphasis:\n\n- it must not be mistaken for the answer,\n- it must be foldable,\n- it must not jump while it grows.',
  '**Deciding**\n\nFour parts are enough. The answer is one sentence.',
];

const SIGHTS = [
  'A goods train waits at the home signal, and the bell rings twice.',
  'The lamp on the second lever flickers; somebody ought to trim it.',
  'Rain runs down the window, and the wires hum as the wind turns.',
  'The clerk writes the time in the book and blots the line with care.',
  'Far off a whistle answers, and the needle of the block instrument moves.',
];

/** Long enough that there is time to stop it, to steer it, or to queue the next message. */
export const LONG_SAMPLE = [
  'A long answer, so that you can stop it, steer it, or queue your next message meanwhile.',
  ...Array.from({ length: 40 }, (_, index) => {
    const sights = [0, 1].map((offset) => SIGHTS[(index + offset) % SIGHTS.length]);
    return `**${index + 1}.** ${sights.join(' ')}`;
  }),
  'That was all of it.',
].join('\n\n');

export const PROPOSED_PLAN = `<proposed_plan>
# A plan from the demo model

## Summary
Show what a proposed plan looks like. Nothing here has to be done.

## Steps
1. Look at what is asked
2. Do the work
3. Check the result

## Checks
- \`npm test\` passes
</proposed_plan>`;
