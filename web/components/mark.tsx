/** Satchel's mark: flap and clasp. Hidden from screen readers, because the name is beside it. */
export function Mark({ className }: { readonly className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d="M2 4.5h12v9H2zM2 4.5c0 4 2.5 5.5 6 5.5s6-1.5 6-5.5" />
      <path d="M8 8.5v3" />
    </svg>
  );
}
