import { expect, test } from "vitest";
import { Once } from "../src/tab/once";
import { later, settled } from "./stage";

test("two clicks share one request", async () => {
  const once = new Once();
  const answer = later<string>();
  let requests = 0;
  const ask = () => ((requests += 1), answer.promise);
  const first = once.run("write", ask);
  const second = once.run("write", ask);
  answer.keep("written");
  expect(await first).toBe("written");
  expect(await second).toBe("written");
  expect(requests).toBe(1);
});

test("a click after the answer asks again", async () => {
  const once = new Once();
  let requests = 0;
  const ask = async () => (requests += 1);
  await once.run("write", ask);
  await once.run("write", ask);
  expect(requests).toBe(2);
});

test("different acts do not wait for one another", () => {
  const once = new Once();
  let requests = 0;
  const ask = () => ((requests += 1), new Promise<void>(() => undefined));
  void once.run("write", ask);
  void once.run("apply", ask);
  expect(requests).toBe(2);
});

test("an act that failed leaves nothing behind", async () => {
  const once = new Once();
  const answer = later<string>();
  const first = once.run("write", () => answer.promise);
  answer.break(new Error("cut"));
  await expect(first).rejects.toThrow("cut");
  await settled();
  expect(once.isRunning("write")).toBe(false);
});
