/** The forms a transcript is exported in. */

export const FORMATS = ['md', 'json', 'html'] as const;
export type Format = (typeof FORMATS)[number];
