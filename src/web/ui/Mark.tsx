/** The product's mark: a signal head with its lamps, the lower one lit. */
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect x="6" y="1.5" width="12" height="21" rx="6" fill="var(--surface-2)" stroke="var(--line-strong)" />
      <circle cx="12" cy="7.5" r="3" fill="var(--unlit)" />
      <circle cx="12" cy="16.5" r="3" fill="var(--go)" />
    </svg>
  );
}
