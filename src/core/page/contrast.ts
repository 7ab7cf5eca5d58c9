/** Contrast of two colors as WCAG defines it. Pure. */

/** From 1 (the same) to 21 (black on white). Colors are `#rgb` or `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: string): readonly number[] {
  const digits = color.slice(1);
  const long = digits.length === 3 ? [...digits].map((one) => one + one).join('') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255);
}
