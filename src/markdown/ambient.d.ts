/** The clock that pages and Node both have, and that `lib: ES2023` does not declare. */
declare const performance: { now(): number };
