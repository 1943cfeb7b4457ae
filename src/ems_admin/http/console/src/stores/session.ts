/** Who is signed in, whether the server answers, and which Admin it is. */

import { computed, signal } from "@preact/signals";
import { Client, type Answer } from "../server/client";
import type { AuthStatus } from "../server/shapes";
import { Poller } from "../tab/poller";

export const status = signal<AuthStatus | null>(null);
/** False while nobody answers: the page keeps its place and says so. */
export const reachable = signal(true);
/** True once this page has been signed in; from then on a lost session is a sheet over the page, not a new page. */
export const wasSignedIn = signal(false);
export const signedIn = computed(() => status.value?.authenticated === true);

type Listener = () => void;
const instanceListeners: Listener[] = [];

/** Called when another Admin answers than before: everything read from the old one is history. */
export function onNewInstance(listener: Listener): void {
  instanceListeners.push(listener);
}

export const client = new Client({
  fetch: (input, init) => fetch(input, init),
  csrfToken: () => status.value?.csrf_token ?? null,
  sessionLost: () => {
    if (status.value) status.value = { ...status.value, authenticated: false };
    void readStatus();
  },
  unreachable: () => {
    reachable.value = false;
    if (!reconnect.active) reconnect.start();
  },
});

/** While nobody answers, plain requests ask for a sign of life; it carries the id of the Admin that gives it. */
const reconnect = new Poller(readStatus, () => 2000);

async function readStatus(): Promise<void> {
  const answer = await client.get<AuthStatus>("/api/admin/auth/status");
  if (answer.ok === null) return;
  reachable.value = true;
  reconnect.stop();
  if (answer.ok) accept(answer);
}

function accept(next: AuthStatus): void {
  const before = status.value;
  status.value = next;
  if (next.authenticated) wasSignedIn.value = true;
  if (before && before.admin_instance_id !== next.admin_instance_id) instanceListeners.forEach((listener) => listener());
}

export function openSession(): Promise<void> {
  return readStatus();
}

export interface FirstPassword {
  password: string;
  confirm_password: string;
  code?: string;
}

export async function createPassword(body: FirstPassword): Promise<Answer<AuthStatus>> {
  return accepted(await client.post<AuthStatus>("/api/admin/auth/setup", body));
}

export async function logIn(body: { password: string; name?: string; second_factor?: string }): Promise<Answer<AuthStatus>> {
  return accepted(await client.post<AuthStatus>("/api/admin/auth/login", body));
}

export async function logOut(): Promise<Answer<AuthStatus>> {
  const answer = accepted(await client.post<AuthStatus>("/api/admin/auth/logout"));
  if (answer.ok) wasSignedIn.value = false;
  return answer;
}

function accepted(answer: Answer<AuthStatus>): Answer<AuthStatus> {
  if (answer.ok) accept(answer);
  // Somebody else was first, or the file broke meanwhile: the form itself has to change.
  if (answer.ok === false) void readStatus();
  return answer;
}
