import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '../api/queries.ts'
import { theme } from '../design/theme.ts'
import { SignInErrorContext } from './frame/sign-in-error.ts'
import { makeRouter } from './router.ts'

export function App({ problem }: { problem: string | undefined }) {
  const [router] = useState(makeRouter)
  return (
    <MantineProvider defaultColorScheme="auto" theme={theme}>
      <QueryClientProvider client={queryClient}>
        <SignInErrorContext value={problem}>
          <RouterProvider router={router} />
        </SignInErrorContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
