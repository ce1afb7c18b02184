/** The page that asks for the access token. Plain HTML: no script runs before someone is let in. */
export function accessPage(wrong: boolean): Response {
  const note = wrong ? '<p role="alert">That is not the token.</p>' : "";
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Rill</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
form { max-width: 22rem; margin: 20vh auto 0; padding: 0 1rem; display: grid; gap: .75rem }
input, button { font: inherit; padding: .5rem .75rem }
</style>
<form method="post" action="/api/access">
<h1>Rill</h1>
<label for="token">Access token of this server</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
${note}<button>Enter</button>
</form>
</html>`;
  return new Response(html, {
    status: 401,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  });
}
