import { testReadmeExample } from '../../test/harness/readme-example.ts'

testReadmeExample(new URL('./', import.meta.url))
