/** How a person wants the page: its look, its keys, and what it notifies about. Stored on the server, so that every browser has it. */
import { z } from 'zod';
import { ACT_IDS, COLOR_TOKENS, DENSITIES, THEMES } from './page-names.ts';

/** Opaque colors only: a transparent one, or a value that loads something, could hide what a request asks for. */
const Color = z.string().regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'expected a color such as #6b3fe0');
const Colors = z.partialRecord(z.enum(COLOR_TOKENS), Color);
/** As the list of keys writes it; empty: the act has no key. */
const Keys = z
  .string()
  .regex(/^(?:(?:Ctrl )?(?:Alt )?(?:Shift )?[^\s\p{C}]{1,12})?$/u, 'expected keys such as Ctrl Shift K');

export const PageSettings = z.strictObject({
  theme: z.enum(THEMES),
  density: z.enum(DENSITIES),
  /** Replaced colors of the light and of the dark theme. High contrast uses none of them. */
  colors: z.strictObject({ light: Colors, dark: Colors }),
  /** Keys that were changed. */
  keys: z.partialRecord(z.enum(ACT_IDS), Keys),
  /** What a notice is for; whether notices are shown at all is a permission of each browser. */
  notices: z.strictObject({ asks: z.boolean(), ends: z.boolean(), events: z.boolean() }),
});
export type PageSettings = z.infer<typeof PageSettings>;

/** Absent fields stay as they are. */
export const PageSettingsPatch = PageSettings.partial();
export type PageSettingsPatch = z.infer<typeof PageSettingsPatch>;
