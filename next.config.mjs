/** @type {import("next").NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  // Named, since Next would otherwise look for lockfiles in the folders above.
  turbopack: { root: import.meta.dirname },
};
