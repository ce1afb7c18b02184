/** All that an expression may call or name. What is not here cannot be reached, whatever the library offers. */

const words = (text: string): string[] => text.trim().split(/\s+/);

export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...words(
    "abs add cbrt ceil cube divide exp expm1 fix floor gcd hypot invmod lcm log log10 log1p",
  ),
  ...words("log2 mod multiply nthRoot pow round sign sqrt square subtract unaryMinus unaryPlus"),
  ...words("dotMultiply dotDivide dotPow bitAnd bitOr bitXor bitNot leftShift"),
  ...words("rightArithShift rightLogShift and or xor not"),
  ...words("equal unequal smaller larger smallerEq largerEq to"),
  ...words("sin cos tan sec csc cot asin acos atan atan2 asec acsc acot"),
  ...words("sinh cosh tanh sech csch coth asinh acosh atanh"),
  ...words("arg conj im re"),
  ...words("max min mean median mode prod sum std variance cumsum mad"),
  ...words("combinations combinationsWithRep permutations factorial gamma lgamma erf"),
  ...words("isPrime isInteger isNegative isPositive isZero isNaN"),
  ...words("cross ctranspose det dot inv norm size count trace transpose"),
  ...words("bin hex oct"),
]);

/** Loops as long as its argument is large: the argument is part of the price. */
export const COUNTING_FUNCTIONS: ReadonlySet<string> = new Set(
  words("combinations combinationsWithRep permutations"),
);

/** Work that grows with the number of rows times the number of elements. */
export const CUBIC_FUNCTIONS: ReadonlySet<string> = new Set(words("det inv pow multiply norm"));

export const CONSTANTS: ReadonlySet<string> = new Set([
  ...words("pi tau e phi i Infinity NaN"),
  ...words("speedOfLight gravitationConstant planckConstant elementaryCharge avogadro boltzmann"),
  ...words("gasConstant faraday gravity atm electronMass protonMass neutronMass stefanBoltzmann"),
]);
