import { BlockList, isIP } from "node:net";

/** Who an outbound request may talk to: public addresses, this machine too, or anybody. */
export type AddressPolicy = "public" | "public-and-loopback" | "any";

function listOf(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.trim().split(/\s+/)) {
    const [network, prefix] = range.split("/") as [string, string];
    list.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

const loopback = listOf("127.0.0.0/8 ::1/128");

// The special-purpose registries of IANA: everything that is not a public unicast address.
const special = listOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10
  fec0::/10 ff00::/8
`);
const nat64 = listOf("64:ff9b::/96");

/** Whether the policy lets us connect to an IP address. Text that is not an address is refused. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const version = isIP(bare);
  if (version === 0) return false;
  if (policy === "any") return true;
  const family = version === 6 ? "ipv6" : "ipv4";
  if (loopback.check(bare, family)) return policy === "public-and-loopback";
  if (family === "ipv6" && nat64.check(bare, family)) {
    return isAllowedAddress(embeddedIpv4(bare), policy);
  }
  return !special.check(bare, family);
}

/** The IPv4 address in the last 32 bits of an IPv6 one. */
function embeddedIpv4(address: string): string {
  // The URL parser gives the canonical form: hexadecimal groups, zeros compressed.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":");
  const bits = groups.slice(-2).map((group) => Number.parseInt(group || "0", 16));
  const [high = 0, low = 0] = bits;
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
