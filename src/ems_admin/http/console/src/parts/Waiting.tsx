/** Before the first answer: the shape of the page, and a word for those who listen. */

export function Waiting({ what }: { what: string }) {
  return (
    <div class="stack-wide" aria-busy="true">
      <p class="for-ears" role="status">
        Reading {what} …
      </p>
      <div class="bone bone-tall" />
      <div class="bone" />
    </div>
  );
}
