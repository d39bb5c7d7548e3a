/**
 * Returns an object that does as this one does, except for the members given: a database that fails at one call, or
 * notes what is sent. Unlike a literal, it has every member of its type, so that the code under test may use them all.
 */
export function override<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (name in members) return Reflect.get(members, name)
      // Methods that use private fields need their own object.
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
