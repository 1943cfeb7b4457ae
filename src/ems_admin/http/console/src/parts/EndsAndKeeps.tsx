/** What an act would end, and what it never touches: the two lists that a confirmation is made on. */

interface EndsAndKeepsProps {
  ends: readonly string[];
  keeps: readonly string[];
}

export function EndsAndKeeps({ ends, keeps }: EndsAndKeepsProps) {
  return (
    <>
      {ends.length > 0 && <Listed title="This ends" items={ends} />}
      {keeps.length > 0 && <Listed title="This stays exactly as it is" items={keeps} />}
    </>
  );
}

export function Listed({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <section class="listed">
      <h3>{title}</h3>
      <ul class="bullets">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
