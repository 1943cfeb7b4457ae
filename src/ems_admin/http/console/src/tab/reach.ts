/** An address as this browser reaches it: what the server calls its own loopback is another machine from here. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

export function reachedFrom(address: string, host: string = location.hostname): string {
  let meant: URL;
  try {
    meant = new URL(address);
  } catch {
    return address;
  }
  if (!LOOPBACK.test(meant.hostname) || LOOPBACK.test(host)) return address;
  meant.hostname = host;
  // As it was written: an address without a path gets none.
  return address.endsWith("/") ? meant.href : meant.href.replace(/\/$/, "");
}
