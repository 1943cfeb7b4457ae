import { expect, test } from "vitest";
import { Generation } from "../src/tab/generation";

test("work of the present generation is wanted, work of an earlier one is not, whatever comes after", () => {
  const generation = new Generation();
  const early = generation.mark();
  expect(early()).toBe(true);
  generation.raise();
  const late = generation.mark();
  expect(early()).toBe(false);
  expect(late()).toBe(true);
  generation.raise();
  generation.raise();
  expect(early()).toBe(false);
  expect(late()).toBe(false);
});
