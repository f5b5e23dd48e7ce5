/** A small container: what is registered is made once, when it is asked for. */
export class Container {
  #factories = new Map();
  #instances = new Map();

  register(name, factory) {
    this.#factories.set(name, factory);
    return this;
  }

  resolve(name) {
    if (this.#instances.has(name)) return this.#instances.get(name);
    const factory = this.#factories.get(name);
    if (factory === undefined) throw new Error(`Nothing is registered as ${name}`);
    const instance = factory(this);
    this.#instances.set(name, instance);
    return instance;
  }
}
