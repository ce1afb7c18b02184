/**
 * The numbers of the protocol's behaviours, which docs/protocol.md answers for one by one: P the protocol, A the adapters, L
 * the loop, W and X weak points of other implementations, F complaints of their users (those that touch these layers).
 */

/** @type {Record<string, [from: number, to: number][]>} */
const ranges = {
  P: [
    [1, 23],
    [30, 55],
    [60, 78],
    [80, 96],
    [100, 128],
    [130, 153],
    [160, 160],
    [170, 177],
    [200, 206],
    [210, 217],
    [220, 229],
    [240, 246],
    [260, 265],
    [270, 271],
    [280, 291],
    [300, 313],
    [320, 324],
    [330, 334],
    [340, 348],
    [400, 414],
  ],
  A: [
    [1, 5],
    [10, 21],
  ],
  L: [
    [1, 12],
    [20, 47],
    [60, 70],
    [80, 85],
    [90, 94],
    [100, 110],
    [120, 126],
    [130, 138],
  ],
  W: [[1, 47]],
};

/** @param {[from: number, to: number]} range */
const upTo = ([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const digits = /** @type {Record<string, number>} */ ({ P: 3, A: 3, L: 3, W: 2 });

/** Every number, as it is written. */
export const protocolNumbers = [
  ...Object.entries(ranges).flatMap(([letter, list]) =>
    list
      .flatMap(upTo)
      .map((number) => `${letter}-${String(number).padStart(digits[letter] ?? 0, "0")}`),
  ),
  ...upTo([1, 36]).map((number) => `X${number}`),
  "X8b",
  ...[3, 4, 9, 10, 11, 14, 15, 16, 17, 19, 21, 24, 25].map((number) => `F-${number}`),
];
