/** The logo of Mediadesk: a desk with a recording on it. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" role="presentation">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="#fff">
        <rect x="7" y="12.5" width="2.5" height="5" rx="1.25" />
        <rect x="11.9" y="8.5" width="2.5" height="13" rx="1.25" />
        <rect x="16.8" y="6" width="2.5" height="18" rx="1.25" />
        <rect x="21.7" y="10.5" width="2.5" height="9" rx="1.25" />
        <rect x="6" y="26" width="20" height="1.8" rx="0.9" opacity="0.55" />
      </g>
    </svg>
  );
}
