/** A square, and in it the square of half its area: the figure of Plato's Meno, turned round. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#3d43a5" />
      <rect
        x="7"
        y="7"
        width="18"
        height="18"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M16 7 25 16 16 25 7 16Z" fill="#ffc94d" />
    </svg>
  )
}
