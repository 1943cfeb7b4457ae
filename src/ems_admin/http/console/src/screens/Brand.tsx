/** The name of the house. */

export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false" class="brand-sign">
        <rect width="32" height="32" rx="9" class="brand-ground" />
        <path d="M6.5 15.2 16 7l9.5 8.2" class="brand-roof" />
        <path d="M17.4 12.6 12.6 19h3.2l-1.2 5.4 5-6.6h-3.3z" class="brand-bolt" />
      </svg>
      EMS Admin
    </span>
  );
}
