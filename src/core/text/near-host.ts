/** Whether an address leads to this machine or the local network, where a page may belong to another user or to a device. */

/** IPv4 blocks of loopback, private and link-local addresses, and "this host"; as the URL parser writes them, so always dotted decimals. */
const NEAR_IPV4 = /^(?:0|10|127)\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^169\.254\./;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
/** Loopback, unspecified, unique local fc00::/7, link-local fe80::/10, and IPv4 addresses written as IPv6. */
const NEAR_IPV6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:.*|64:ff9b:.*)\]$/;
/** Names that are only ever resolved nearby. A name without a dot is looked up in the local network. */
const NEAR_NAME = /^(?:[^.]+|.*\.(?:localhost|local|internal|lan|home\.arpa))\.?$/;

/** `hostname` of a parsed URL: the parser has made 127.0.0.1 of `2130706433` and `0x7f.1`, and lower case of letters. */
export function isNearHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return NEAR_IPV6.test(hostname);
  return IPV4.test(hostname) ? NEAR_IPV4.test(hostname) : NEAR_NAME.test(hostname);
}
