/** The bearer token: kept until the tab is closed, never in a link. */

const key = 'terrane-token';
let held: string | undefined;

/** undefined: none has been given. */
export function storedToken(): string | undefined {
  if (held === undefined) {
    try {
      held = sessionStorage.getItem(key) ?? undefined;
    } catch {
      // storage may be forbidden: memory does
    }
  }
  return held;
}

export function storeToken(token: string): void {
  held = token;
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // as above
  }
}

export function forgetToken(): void {
  held = undefined;
  try {
    sessionStorage.removeItem(key);
  } catch {
    // as above
  }
}
