"use client";

import { useEffect, useState } from "react";

export function AboutTab() {
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    fetch("/api/health")
      .then((response) => response.json())
      .then((health: { version?: unknown }) => setVersion(String(health.version ?? "")))
      .catch(() => {});
  }, []);
  return (
    <div className="space-y-3 text-sm text-ink-2">
      <p className="text-base font-semibold text-ink">Rill{version ? ` ${version}` : ""}</p>
      <p>
        A chat over every large model that runs in your browser. What was sent, what came back and
        what happened in between lies in plain sight.
      </p>
      <p>Free software under the MIT licence.</p>
    </div>
  );
}
