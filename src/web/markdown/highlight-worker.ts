/** Finds the colors of code, away from the page's thread. Answers with runs, never with HTML. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { type Run, readRuns } from './runs.ts';

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

export interface HighlightAsk {
  readonly id: number;
  readonly text: string;
  readonly lang: string;
}

export interface HighlightAnswer {
  readonly id: number;
  /** Null when the language is not known or the highlighter failed. */
  readonly runs: readonly Run[] | null;
}

addEventListener('message', ({ data }: MessageEvent<HighlightAsk>) => {
  postMessage({ id: data.id, runs: runsOf(data) } satisfies HighlightAnswer);
});

function runsOf({ text, lang }: HighlightAsk): readonly Run[] | null {
  if (hljs.getLanguage(lang) === undefined) return null;
  try {
    return readRuns(hljs.highlight(text, { language: lang, ignoreIllegals: true }).value);
  } catch {
    // A text that the highlighter fails at stays plain; the worker goes on with the next one.
    return null;
  }
}
