/**
 * One kind of fact that decisions depend on: which part of a question asks for it, and which writes change it.
 *
 * A new kind is a class like `Links`, and its line in `../ledger.ts`. How it is read and written is the store's part.
 */
export abstract class Fact<Asked extends object, Written extends object> {
  declare readonly asked: Asked
  declare readonly written: Written

  /** Takes in what a decision writes, for the next one of the same transaction to see. */
  apply(_writes: Written): void {}
}
